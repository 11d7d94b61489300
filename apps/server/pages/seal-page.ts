import { createHash } from "node:crypto";
import type { CardFormSources } from "../payments/card-form-sources.ts";
import type { TrackingSources } from "./tracking-sources.ts";

export interface SealedPage {
  html: string;
  /** Value of Content-Security-Policy: only the inline scripts that this page was rendered with may run. */
  policy: string;
}

export interface PolicyOptions {
  /** https adds upgrade-insecure-requests. */
  publicScheme: "http" | "https";
  /** The only origin whose pages may frame this one; none by default. */
  framedBy?: string | undefined;
  /**
   * Other origins that the page's script may ask, for the pre-flight check of a deal link: those of the networks'
   * links. None by default.
   */
  connectsTo?: readonly string[];
  /** What the page may load for telemetry and tags. Nothing by default. */
  tracking?: TrackingSources | null | undefined;
  /** What the page may load of the card provider: the page opens the widget's card form. Nothing by default. */
  cardForm?: CardFormSources | null | undefined;
}

/**
 * Seals a rendered page (S1, docs/decisions/002-hashed-scripts.md): hashes the scripts that carry `nonce`, removes
 * the nonce attributes, and returns the policy that lets only these scripts run. An injected script has no nonce, so it
 * gets no hash and does not run. Without nonces the page can be cached and served to many.
 */
export function sealPage(html: string, nonce: string, options: PolicyOptions): SealedPage {
  const hashes = new Set<string>();
  const mark = ` nonce="${nonce}"`;
  let sealed = "";
  let done = 0;
  for (let at = html.indexOf(mark); at !== -1; at = html.indexOf(mark, done)) {
    sealed += html.slice(done, at);
    done = at + mark.length;
    const opening = html.lastIndexOf("<", at);
    const end = html.indexOf(">", done);
    if (end === -1 || !html.startsWith("<script", opening)) continue;
    const closing = html.indexOf("</script", end);
    if (closing === -1) continue;
    const body = html.slice(end + 1, closing);
    if (body !== "") hashes.add(`'sha256-${createHash("sha256").update(body).digest("base64")}'`);
    // Copy the script's body unread, so that the bytes hashed are the bytes sent.
    sealed += html.slice(done, closing);
    done = closing;
  }
  sealed += html.slice(done);
  return { html: sealed, policy: contentSecurityPolicy([...hashes], options) };
}

/**
 * Returns the policy of our pages; `scriptSources` are added to 'self'. Forms post to our own origin only, and only a
 * partner may frame its pages.
 */
export function contentSecurityPolicy(scriptSources: readonly string[], options: PolicyOptions): string {
  const { script = [], frame = [], connect = [] } = options.cardForm ?? {};
  const tracking = options.tracking ?? NO_TRACKING;
  const connects = [...(options.connectsTo ?? []), ...connect, ...tracking.connect];
  const directives = [
    "default-src 'self'",
    `script-src ${["'self'", ...scriptSources, ...script, ...tracking.script].join(" ")}`,
    "style-src 'self'",
    `img-src ${["'self'", "data:", ...tracking.image].join(" ")}`,
    ...(connects.length ? [`connect-src ${["'self'", ...connects].join(" ")}`] : []),
    ...(frame.length ? [`frame-src ${["'self'", ...frame].join(" ")}`] : []),
    "form-action 'self'",
    `frame-ancestors ${options.framedBy ?? "'none'"}`,
    "base-uri 'none'",
    "object-src 'none'",
  ];
  if (options.publicScheme === "https") directives.push("upgrade-insecure-requests");
  return directives.join("; ");
}

const NO_TRACKING: TrackingSources = { script: [], connect: [], image: [] };

/**
 * The policy of pages served from source, in development only: Vite's hot reload writes inline scripts and styles and
 * opens a socket.
 */
export function developmentPolicy({
  framedBy,
  connectsTo = [],
  cardForm,
  tracking,
}: Omit<PolicyOptions, "publicScheme">): string {
  const { script = [], frame = [], connect = [] } = cardForm ?? {};
  const own = tracking ?? NO_TRACKING;
  return `default-src 'self'; script-src ${["'self'", "'unsafe-inline'", ...script, ...own.script].join(" ")}; style-src 'self' 'unsafe-inline'; img-src ${["'self'", "data:", ...own.image].join(" ")}; connect-src ${["'self'", "ws:", ...connectsTo, ...connect, ...own.connect].join(" ")}; frame-src ${["'self'", ...frame].join(" ")}; worker-src 'self' blob:; form-action 'self'; frame-ancestors ${framedBy ?? "'none'"}; base-uri 'none'; object-src 'none'`;
}
