import { isHttpUrl } from "./http-url.ts";

/** `dev` and `staging` as the specification names them; `production` is configured the same way (P4). */
export type EnvironmentName = "dev" | "staging" | "production";

export type Environment = {
  /** Where the service lives, without /redirect: "https://club.example". Its origin is the only one the widget talks to. */
  baseUrl: string;
  /** The card provider's publishable key. Public by nature; never a secret key. */
  publishableKey: string;
  /** The card provider's client script. Another address than the provider's own is refused with a live key. */
  cardScriptUrl?: string;
};
export type Environments = Partial<Record<EnvironmentName, Environment>>;

/** Filled in by `build.ts` from a JSON file, so that a deployment ships a widget that already knows its addresses. */
declare const FARTHING_ENVIRONMENTS: Environments | undefined;

const builtIn: Environments =
  typeof FARTHING_ENVIRONMENTS === "object"
    ? FARTHING_ENVIRONMENTS
    : { dev: { baseUrl: "http://localhost:3000", publishableKey: "pk_test_farthing" } };

const environments = { __proto__: null, ...builtIn } as Environments;

/**
 * Sets or replaces environments for this page, before the first widget mounts: for self-hosted services, and for
 * development on other ports. Named environments replace the built-in ones whole; the others stay. Mistakes show when a widget mounts.
 */
export function defineEnvironments(definitions: Environments): void {
  Object.assign(environments, definitions);
}

/** The environment's addresses and key. Throws a TypeError that says what to do when it is not defined, or not with http(s). */
export function findEnvironment(name: EnvironmentName): Environment {
  const environment = environments[name];
  if (!environment || !isHttpUrl(environment.baseUrl)) {
    throw new TypeError(`farthing-widget: environment "${name}" needs an http(s) baseUrl: see defineEnvironments`);
  }
  return environment;
}
