import { HtmlValidate, StaticConfigLoader } from "html-validate/node";

const html = new HtmlValidate(new StaticConfigLoader({ extends: ["html-validate:standard"], root: true }));

/** What is not valid HTML in `markup`, a line each. */
export async function htmlFaults(markup: string): Promise<string[]> {
  const { results } = await html.validateString(markup);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
}
