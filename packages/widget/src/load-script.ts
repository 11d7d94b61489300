import { pageWide, type ScriptPolicy } from "./page-wide.ts";

type TrustedTypes = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };

export type LoadScript = (url: string, signal: AbortSignal, integrity?: string) => Promise<unknown>;

/** Loads that a signal ended. A browser would let the same address wait for the same hung request, so the next load has another one. */
let hung = 0;

/** Loads a classic script. Rejects and removes the element if it fails or if the signal aborts, so that the next call starts anew. */
export const loadScript: LoadScript = (url, signal, integrity) =>
  new Promise((resolve, reject) => {
    const fail = () => {
      signal.removeEventListener("abort", abort);
      script.remove();
      reject(new Error(`${url} did not load`));
    };
    const abort = () => {
      hung++;
      fail();
    };
    const script = Object.assign(document.createElement("script"), {
      ...(integrity && { integrity, crossOrigin: "" }),
      src: trusted(hung ? `${url}${url.includes("?") ? "&" : "?"}again=${hung}` : url),
      onload() {
        signal.removeEventListener("abort", abort);
        resolve(0);
      },
      onerror: fail,
    });
    signal.addEventListener("abort", abort);
    document.head.append(script);
  });

/** Trusted Types require a policy for a script's address. A page that names its policies must allow "farthing-widget". */
function trusted(url: string): string {
  const shared = pageWide();
  shared.policy ??= (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("farthing-widget", {
    createScriptURL: (address) => address,
  });
  return shared.policy?.createScriptURL(url) ?? url;
}
