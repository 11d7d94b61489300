import { allIssuers } from "@farthing/providers/issuers/all-issuers.ts";
import type { IssuerDefinition } from "@farthing/providers/issuers/issuer-definition.ts";
import type { z } from "zod";

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of all issuers, for the environment's schema. */
export function issuerVariables(definitions = allIssuers): z.ZodRawShape {
  return Object.assign({}, ...definitions.map(({ environment }) => environment.shape)) as z.ZodRawShape;
}

/**
 * Returns which variables are missing outside development, as sentences. Gift cards are optional: an issuer is set up when
 * any of its variables is set, and then needs all that it requires.
 */
export function issuerProblems(environment: string, variables: Variables, definitions = allIssuers): string[] {
  return definitions
    .filter((definition) => isSetUp(definition, variables))
    .flatMap(({ required }) =>
      Object.entries(required)
        .filter(([name]) => !variables[name])
        .map(([name, hint]) => `${name} is not set, and ${environment} needs it. ${hint}`),
    );
}

/** Returns the settings of each issuer that is set up, by slug: on a development machine all of them. */
export function readIssuerSettings(
  variables: Variables,
  deployment: { isDevelopment: boolean; standInUrl: string },
  definitions = allIssuers,
): Record<string, unknown> {
  return Object.fromEntries(
    definitions
      .filter((definition) => deployment.isDevelopment || isSetUp(definition, variables))
      .map(({ slug, environment, readSettings }) => [slug, readSettings(environment.parse(variables), deployment)]),
  );
}

function isSetUp({ environment }: IssuerDefinition, variables: Variables): boolean {
  return Object.keys(environment.shape).some((name) => variables[name]);
}
