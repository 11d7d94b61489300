import { createContext } from "react";
import type { SessionOperator } from "@farthing/core/operators/sessions.server.ts";

export const looks = ["auto", "light", "dark"] as const;
export type Look = (typeof looks)[number];

/** What the frame around every page shows. The renderer provides it, so that error pages have it too. */
export interface Shell {
  operator: SessionOperator | null;
  /** The path of the page, with its query. */
  path: string;
  look: Look;
  /** The module that starts the admin's script. */
  script: string;
  /** True where the operator may not do what they asked for: the page says so. */
  isRefused: boolean;
  /** The module that hot reload needs before any other, in development. */
  hotReload?: string | undefined;
}

export const ShellContext = createContext<Shell>({
  operator: null,
  path: "/admin",
  look: "auto",
  script: "",
  isRefused: false,
});
