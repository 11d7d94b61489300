import { isHttpUrl } from "./http-url.ts";

/** The specification names `dev` and `staging`; `production` is configured in the same way (P4). */
export type EnvironmentName = "dev" | "staging" | "production";

export type Environment = {
  /** The service's address without /redirect: "https://club.example". The widget exchanges messages with its origin only. */
  baseUrl: string;
  /** The card provider's publishable key, which anyone can read. Never a secret key. */
  publishableKey: string;
  /** The card provider's client script. With a live key, only the provider's own address is accepted. */
  cardScriptUrl?: string;
};
export type Environments = Partial<Record<EnvironmentName, Environment>>;

/**
 * Set by `build.ts` from a JSON file, so that a deployment can serve a widget with its own addresses. Without such a file the script tag's
 * build keeps the name as it is: a server fills it in by replacing the name with JSON in the script's text, or by a variable around it.
 */
declare const FARTHING_ENVIRONMENTS: Environments | undefined;

const builtIn: Environments =
  typeof FARTHING_ENVIRONMENTS === "object"
    ? FARTHING_ENVIRONMENTS
    : { dev: { baseUrl: "http://localhost:3000", publishableKey: "pk_test_farthing" } };

const environments = { __proto__: null, ...builtIn } as Environments;

/**
 * Defines environments for this page, for self-hosted services and for development on other ports. Call it before the first widget mounts. A
 * definition replaces the built-in environment of the same name entirely. Invalid values throw when a widget mounts.
 */
export function defineEnvironments(definitions: Environments): void {
  Object.assign(environments, definitions);
}

/** Returns an environment. @throws TypeError that says what to do, if it is not defined or its baseUrl is not http(s) */
export function findEnvironment(name: EnvironmentName): Environment {
  if (!name) throw new TypeError('farthing-widget: environment is missing: write environment="production"');
  const environment = environments[name];
  if (!environment || !isHttpUrl(environment.baseUrl)) {
    throw new TypeError(
      `farthing-widget: environment "${name}" needs an http(s) baseUrl: see defineEnvironments, or write data-base-url on the script tag`,
    );
  }
  if (/^[rs]k_/.test(environment.publishableKey)) {
    throw new TypeError(
      `farthing-widget: environment "${name}" has a secret key, which everyone can now read: write the publishable key, pk_…`,
    );
  }
  return environment;
}
