import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import type { NetworkProvider } from "@farthing/core/networks/provider.ts";
import type { z } from "zod";

/** All that the server needs to know of a network. docs/adding-a-network.md shows how to write one; all-networks.ts lists them. */
export interface NetworkDefinition<
  Environment extends z.ZodObject = z.ZodObject,
  Settings extends NetworkSettings = NetworkSettings,
> {
  /** The slug of its row in `networks`; the last part but one of its push address; its key in `config.networks`. */
  readonly slug: string;
  /** As members and operators know it. */
  readonly name: string;
  /** Its environment variables. Each is optional and described: docs/configuration.md has one row for each, in the same words. */
  readonly environment: Environment;
  /** Variables without a default outside development, each with the sentence that says what to set. */
  readonly required: Readonly<Partial<Record<keyof z.infer<Environment>, string>>>;
  /** Variables that must be hard to guess, each with its minimum length in characters. */
  readonly secrets: Readonly<Partial<Record<keyof z.infer<Environment>, number>>>;
  /** Returns the settings that checked variables stand for, with defaults. Outside development all of `required` are there. */
  readSettings(variables: z.infer<Environment>, deployment: Deployment): Settings;
  createProvider(settings: Settings, replaced?: ReplaceableParts): NetworkProvider;
  /** How its programmes and promotions read; null where it publishes none that can be imported. */
  readonly feed: FeedAdapter | null;
}

/** What every network's settings hold. */
export interface NetworkSettings {
  /** The last part of the address that it pushes to, `/webhooks/<slug>/<pushSecret>`; null: it sends no pushes. */
  pushSecret: string | null;
  /** Seconds between two readings of each pass of its report. */
  pollSeconds: number;
}

export interface Deployment {
  isDevelopment: boolean;
  /** The sandbox, which plays the network on a development machine: `http://localhost:<port>`. */
  standInUrl: string;
}

/** What tests put in the place of the outside world. */
export interface ReplaceableParts {
  fetch?: typeof fetch;
  now?: () => Date;
}

/** Returns the definition as it is, with the types of its variables and settings checked against each other. */
export function defineNetwork<Environment extends z.ZodObject, Settings extends NetworkSettings>(
  definition: NetworkDefinition<Environment, Settings>,
): NetworkDefinition<Environment, Settings> {
  return definition;
}
