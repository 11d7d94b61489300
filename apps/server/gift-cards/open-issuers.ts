import type { CardIssuer } from "@farthing/core/gift-cards/issuer.ts";
import { allIssuers } from "@farthing/providers/issuers/all-issuers.ts";
import type { ReplaceableParts } from "@farthing/providers/issuers/issuer-definition.ts";

/** Creates the adapters of the issuers in `settings` (`config.issuers`), by slug. */
export function openIssuers(
  settings: Readonly<Record<string, unknown>>,
  { definitions = allIssuers, ...replaced }: ReplaceableParts & { definitions?: typeof allIssuers } = {},
): ReadonlyMap<string, CardIssuer> {
  return new Map(
    definitions
      .filter(({ slug }) => settings[slug] !== undefined)
      .map((definition) => [definition.slug, definition.createIssuer(settings[definition.slug], replaced)]),
  );
}
