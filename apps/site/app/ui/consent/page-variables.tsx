import type { PageVariables as Variables } from "@farthing/telemetry/telemetry-events.ts";

/**
 * What the server tells the scripts of telemetry and tags (T2). It is a data block, which runs nothing and which the content security policy does not
 * restrict.
 */
export function PageVariables({ variables }: { variables: Variables }) {
  // An unescaped "<" would let a name end the block.
  const text = JSON.stringify(variables).replaceAll("<", "\\u003c");
  return <script id="page-variables" type="application/json" dangerouslySetInnerHTML={{ __html: text }} />;
}
