import { examples as buttons } from "@farthing/ui/buttons/examples.tsx";
import { examples as dialogs } from "@farthing/ui/dialogs/examples.tsx";
import type { PartExamples } from "@farthing/ui/examples.ts";
import { examples as fields } from "@farthing/ui/forms/examples.tsx";
import { examples as loading } from "@farthing/ui/loading/examples.tsx";
import { examples as money } from "@farthing/ui/money/examples.tsx";
import { examples as barCode } from "@farthing/ui/bar-code/examples.tsx";
import { examples as qrCode } from "@farthing/ui/qr-code/examples.tsx";
import { examples as cards } from "./cards/examples.tsx";
import { examples as carousel } from "./carousel/examples.tsx";
import { examples as consent } from "./consent/examples.tsx";
import { examples as favourites } from "./favourites/examples.tsx";
import { examples as forms } from "./forms/examples.tsx";
import { examples as layout } from "./layout/examples.tsx";
import { examples as lists } from "./lists/examples.tsx";
import { examples as menu } from "./menu/examples.tsx";
import { examples as overlays } from "./overlays/examples.tsx";
import { examples as pageHead } from "./page-head/examples.tsx";
import { examples as search } from "./search/examples.tsx";
import { examples as text } from "./text/examples.tsx";

/** The examples of every part, by the part's folder from the checkout's root. A test holds the list to the folders. */
export const partExamples: Readonly<Record<string, PartExamples>> = {
  "apps/site/app/ui/cards": cards,
  "apps/site/app/ui/carousel": carousel,
  "apps/site/app/ui/consent": consent,
  "apps/site/app/ui/favourites": favourites,
  "apps/site/app/ui/forms": forms,
  "apps/site/app/ui/layout": layout,
  "apps/site/app/ui/lists": lists,
  "apps/site/app/ui/menu": menu,
  "apps/site/app/ui/overlays": overlays,
  "apps/site/app/ui/page-head": pageHead,
  "apps/site/app/ui/search": search,
  "apps/site/app/ui/text": text,
  "packages/ui/buttons": buttons,
  "packages/ui/dialogs": dialogs,
  "packages/ui/forms": fields,
  "packages/ui/loading": loading,
  "packages/ui/money": money,
  "packages/ui/bar-code": barCode,
  "packages/ui/qr-code": qrCode,
};
