/** What the server has written on a page in a partner's frame (root.tsx). */
export interface FrameMarks {
  /** The first segments of the paths that the frame may show, each after a slash. */
  starts: string;
  /** The page's own origin. */
  origin: string;
  /** Whether the browser keeps the frame's session from page to page. */
  keepsSession: boolean;
}

/**
 * Returns where an address that a person follows in a partner's frame opens (W9): `inside` the frame, or `outside`, by
 * the page around it. What is not the web (mailto:) is left to the browser.
 */
export function whereToOpen(address: string, { starts, origin, keepsSession }: FrameMarks): "inside" | "outside" {
  if (!URL.canParse(address)) return "inside";
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return "inside";
  if (url.origin !== origin || !keepsSession) return "outside";
  const [first = ""] = url.pathname.slice(1).split("/", 1);
  return starts.slice(1).split("/").includes(first.toLowerCase()) ? "inside" : "outside";
}
