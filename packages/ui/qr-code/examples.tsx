import type { PartExamples } from "../examples.ts";
import { QrCode } from "./qr-code.tsx";
import { QrDrawing } from "./qr-drawing.tsx";
import { qrPath } from "./qr-path.ts";

const ADDRESS = "https://club.example/go/app/0123456789abcdef";

export const examples: PartExamples = {
  "qr-code": [
    { name: "Short text", render: () => <QrCode text="ABC" label="QR code of three letters" /> },
    { name: "Address", render: () => <QrCode text={ADDRESS} label="QR code that opens the app" /> },
  ],
  "qr-drawing": [
    {
      name: "Path made by the server",
      render: () => <QrDrawing qr={qrPath(ADDRESS)} label="QR code that opens the app" />,
    },
  ],
};
