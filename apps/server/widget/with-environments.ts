import type { Config } from "../env.ts";

/** What the served script has to know of this deployment, apart from its address. */
export interface ServedEnvironment {
  /** The names under which a partner's page reaches this deployment. */
  names: readonly ("dev" | "staging" | "production")[];
  /** Null: card payments are not configured. */
  publishableKey: string | null;
  /** The card provider's script in development; null for the provider's own. */
  cardScriptUrl: string | null;
}

/**
 * Returns the environment that this deployment's script brings, so that a partner's page has to define none (W1). Its
 * names are `production` and the deployment's own; in development also the others, so that every page can be tried.
 */
export function servedEnvironment({ environment, stripe }: Pick<Config, "environment" | "stripe">): ServedEnvironment {
  return {
    names:
      environment === "dev" ? ["dev", "staging", "production"] : [...new Set([environment, "production"] as const)],
    publishableKey: stripe?.publishableKey ?? null,
    cardScriptUrl: stripe?.scriptUrl ?? null,
  };
}

/**
 * Returns the widget's script with this deployment's environments. Their address is the origin that the page loads the
 * script from, because each brand has a host of its own. The build reads FARTHING_ENVIRONMENTS where there is one
 * (packages/widget/src/environments.ts); it is not visible outside the script. What the page defines comes first.
 */
export function withEnvironments(script: string, served: ServedEnvironment): string {
  const { names, publishableKey, cardScriptUrl } = served;
  const own = { publishableKey: publishableKey ?? "", ...(cardScriptUrl === null ? {} : { cardScriptUrl }) };
  const all = names.map((name) => `${name}:own`).join(",");
  return `(()=>{const from=document.currentScript?.src,own={baseUrl:from&&new URL(from).origin,...${JSON.stringify(own)}},FARTHING_ENVIRONMENTS={${all}};${script}
})();`;
}
