import { HtmlValidate, StaticConfigLoader } from "html-validate/node";

const html = new HtmlValidate(new StaticConfigLoader({ extends: ["html-validate:standard"], root: true }));

/** Returns a line for each violation of HTML in `markup`. */
export async function htmlFaults(markup: string): Promise<string[]> {
  const { results } = await html.validateString(markup);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
}
