import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** A font of an operating system: the names that `local()` finds it by, and a font file with the same widths. */
export interface SystemFont {
  localNames: string[];
  file: string;
}

/** A font family that comes with an operating system. */
export interface SystemFamily {
  name: string;
  isSerif: boolean;
  regular: SystemFont;
  bold: SystemFont;
}

/** Returns the path of a font file of an npm package. */
function inPackage(name: string, file: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), file);
}

/**
 * The families that stand in for a theme's fonts, in the order in which a page looks for them. Windows, macOS and iOS have Arial and
 * Times New Roman; Android has Roboto and Noto Serif; Linux has Liberation, Noto or DejaVu;
 * ChromeOS has Arimo and Tinos.
 *
 * Arimo and Tinos have the widths of Arial and Times New Roman, which no package may contain. On some devices Roboto and Noto Sans
 * are variable fonts without a name for the bold font: their last name is that of the regular font.
 */
export const systemFamilies: SystemFamily[] = [
  {
    name: "Times",
    isSerif: true,
    regular: {
      localNames: ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif", "Tinos Regular"],
      file: inPackage("@expo-google-fonts/tinos", "400Regular/Tinos_400Regular.ttf"),
    },
    bold: {
      localNames: ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold", "Tinos Bold"],
      file: inPackage("@expo-google-fonts/tinos", "700Bold/Tinos_700Bold.ttf"),
    },
  },
  {
    name: "Noto Serif",
    isSerif: true,
    regular: {
      localNames: ["Noto Serif Regular", "NotoSerif-Regular", "Noto Serif"],
      file: inPackage("@expo-google-fonts/noto-serif", "400Regular/NotoSerif_400Regular.ttf"),
    },
    bold: {
      localNames: ["Noto Serif Bold", "NotoSerif-Bold"],
      file: inPackage("@expo-google-fonts/noto-serif", "700Bold/NotoSerif_700Bold.ttf"),
    },
  },
  {
    name: "DejaVu Serif",
    isSerif: true,
    regular: {
      localNames: ["DejaVu Serif", "DejaVuSerif"],
      file: inPackage("dejavu-fonts-ttf", "ttf/DejaVuSerif.ttf"),
    },
    bold: {
      localNames: ["DejaVu Serif Bold", "DejaVuSerif-Bold"],
      file: inPackage("dejavu-fonts-ttf", "ttf/DejaVuSerif-Bold.ttf"),
    },
  },
  {
    name: "Arial",
    isSerif: false,
    regular: {
      localNames: ["Arial", "ArialMT", "Liberation Sans", "Arimo Regular", "Helvetica"],
      file: inPackage("@expo-google-fonts/arimo", "400Regular/Arimo_400Regular.ttf"),
    },
    bold: {
      localNames: [
        "Arial Bold",
        "Arial-BoldMT",
        "Liberation Sans Bold",
        "Arimo Bold",
        "Helvetica Bold",
        "Helvetica-Bold",
      ],
      file: inPackage("@expo-google-fonts/arimo", "700Bold/Arimo_700Bold.ttf"),
    },
  },
  {
    name: "Roboto",
    isSerif: false,
    regular: {
      localNames: ["Roboto", "Roboto Regular", "Roboto-Regular"],
      file: inPackage("@expo-google-fonts/roboto", "400Regular/Roboto_400Regular.ttf"),
    },
    bold: {
      localNames: ["Roboto Bold", "Roboto-Bold", "Roboto", "Roboto Regular"],
      file: inPackage("@expo-google-fonts/roboto", "700Bold/Roboto_700Bold.ttf"),
    },
  },
  {
    name: "Noto Sans",
    isSerif: false,
    regular: {
      localNames: ["Noto Sans Regular", "NotoSans-Regular", "Noto Sans"],
      file: inPackage("@expo-google-fonts/noto-sans", "400Regular/NotoSans_400Regular.ttf"),
    },
    bold: {
      localNames: ["Noto Sans Bold", "NotoSans-Bold", "Noto Sans Regular", "Noto Sans"],
      file: inPackage("@expo-google-fonts/noto-sans", "700Bold/NotoSans_700Bold.ttf"),
    },
  },
  {
    name: "DejaVu Sans",
    isSerif: false,
    regular: {
      localNames: ["DejaVu Sans", "DejaVuSans"],
      file: inPackage("dejavu-fonts-ttf", "ttf/DejaVuSans.ttf"),
    },
    bold: {
      localNames: ["DejaVu Sans Bold", "DejaVuSans-Bold"],
      file: inPackage("dejavu-fonts-ttf", "ttf/DejaVuSans-Bold.ttf"),
    },
  },
];
