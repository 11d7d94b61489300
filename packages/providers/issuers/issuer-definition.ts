import type { CardIssuer } from "@farthing/core/gift-cards/issuer.ts";
import type { z } from "zod";

/** All that the server needs to know of an issuer. docs/adding-an-issuer.md shows how to write one. */
export interface IssuerDefinition<Environment extends z.ZodObject = z.ZodObject, Settings = unknown> {
  /** The value of `gift_card_products.issuer`. */
  readonly slug: string;
  /** As operators know it. */
  readonly name: string;
  /** Its environment variables. Each is optional and described: docs/configuration.md has one row for each, in the same words. */
  readonly environment: Environment;
  /** Variables without a default outside development, each with the sentence that says what to set. */
  readonly required: Readonly<Partial<Record<keyof z.infer<Environment>, string>>>;
  /** Returns the settings that checked variables stand for, with defaults. Outside development all of `required` are there. */
  readSettings(variables: z.infer<Environment>, deployment: { isDevelopment: boolean; standInUrl: string }): Settings;
  createIssuer(settings: Settings, replaced?: ReplaceableParts): CardIssuer;
}

/** What tests put in the place of the outside world. */
export interface ReplaceableParts {
  fetch?: typeof fetch;
  now?: () => Date;
}

/** Returns the definition as it is, with the types of its variables and settings checked against each other. */
export function defineIssuer<Environment extends z.ZodObject, Settings>(
  definition: IssuerDefinition<Environment, Settings>,
): IssuerDefinition<Environment, Settings> {
  return definition;
}
