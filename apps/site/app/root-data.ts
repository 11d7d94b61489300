import type { Brand } from "@farthing/core/brands/brand.ts";
import type { findFavouriteKeys } from "@farthing/core/favourites/queries.server.ts";
import type { ShownNotice } from "@farthing/core/notices/rules.ts";
import type { Purpose } from "@farthing/core/consent/rules.ts";
import type { PageVariables } from "@farthing/telemetry/telemetry-events.ts";
import type { PageLook } from "./page-look.ts";
import type { MenuLink } from "./routes/members/profile-pages.ts";
import type { OfferedMigration } from "../server/offered-migration.ts";

/** What every page knows: the data of root.tsx, which components read with `useRouteLoaderData("root")`. */
export interface RootData {
  page: PageLook;
  brand: Pick<
    Brand,
    | "name"
    | "strapline"
    | "audience"
    | "theme"
    | "colourFile"
    | "supportEmail"
    | "menu"
    | "banner"
    | "storeLinks"
    | "legalPages"
  >;
  /** Null for visitors. */
  member: { name: string } | null;
  /** The member's own pages in the menu; empty for visitors. */
  memberPages: MenuLink[];
  /** Set where an operator acts as the member. */
  acting: { operator: string; minutesLeft: number } | null;
  favourites: Awaited<ReturnType<typeof findFavouriteKeys>> | null;
  /** The move to another club that the member is asked about on this page. */
  carerMigration: OfferedMigration | null;
  /** What operators tell everybody at the moment; null: nothing (P6). */
  notice: ShownNotice | null;
  /** What the brand asks for, and whether this browser is known to have answered; null where nothing of it may happen (T6). */
  consent: { asked: Purpose[]; isAnswered: boolean } | null;
  /** What every page tells the telemetry client (T2); null where nothing may be measured. */
  pageVariables: PageVariables | null;
  /** Set in a partner's frame (W9). */
  frame: { hostOrigin: string; partner: string } | null;
  /** Set on pages of the gift-card portal: where its messages go, and whether it wears the brand's look. */
  portal: { hostOrigin: string; isAtHome: boolean } | null;
  path: string;
  /** The path with the query that the page reads, for forms that come back to the page. */
  address: string;
  /** Scheme and host of canonical links. */
  origin: string;
  now: Date;
}
