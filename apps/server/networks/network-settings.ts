import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import type {
  Deployment,
  NetworkDefinition,
  NetworkSettings,
} from "@farthing/providers/affiliates/network-definition.ts";
import type { z } from "zod";
import { weaknessOf } from "../secrets/secret-strength.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of all networks, for the environment's schema. */
export function networkVariables(definitions = allNetworks): z.ZodRawShape {
  return Object.assign({}, ...definitions.map(({ environment }) => environment.shape)) as z.ZodRawShape;
}

/**
 * Returns what is wrong with the networks' variables outside development, each as a sentence that starts with the variable's name. A network is
 * set up when any of its variables is set, and then needs all that it requires; at least one network must be set up.
 * @param makeSecret the sentence that says how to make a secret
 */
export function networkProblems(
  environment: string,
  variables: Variables,
  { definitions = allNetworks, makeSecret }: { definitions?: readonly NetworkDefinition[]; makeSecret: string },
): { missing: string[]; weak: string[] } {
  const setUp = definitions.filter((definition) => isSetUp(definition, variables));
  const missing = (setUp.length > 0 ? setUp : definitions.slice(0, 1)).flatMap(({ required }) =>
    Object.entries(required)
      .filter(([name]) => !variables[name])
      .map(([name, hint]) => `${name} is not set, and ${environment} needs it. ${hint}`),
  );
  const weak = setUp.flatMap(({ secrets }) =>
    Object.entries(secrets).flatMap(([name, minLength]) => {
      const value = variables[name];
      const weakness = value && minLength ? weaknessOf(value, minLength) : null;
      return weakness === null ? [] : [`${name} ${weakness}. ${makeSecret}`];
    }),
  );
  return { missing, weak };
}

/** Returns the settings of each network that is set up, by slug: on a development machine all of them, with made-up credentials. */
export function readNetworkSettings(
  variables: Variables,
  deployment: Deployment,
  definitions = allNetworks,
): Record<string, NetworkSettings> {
  return Object.fromEntries(
    definitions
      .filter((definition) => deployment.isDevelopment || isSetUp(definition, variables))
      .map(({ slug, environment, readSettings }) => [slug, readSettings(environment.parse(variables), deployment)]),
  );
}

function isSetUp({ environment }: NetworkDefinition, variables: Variables): boolean {
  return Object.keys(environment.shape).some((name) => variables[name]);
}
