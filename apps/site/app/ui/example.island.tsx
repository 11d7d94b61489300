import { island } from "../islands/island.tsx";
import { partExamples } from "./example-parts.ts";

/** One example that needs React in the browser, by its place in `partExamples`. */
function Example({ folder, component, name }: { folder: string; component: string; name: string }) {
  return partExamples[folder]?.[component]?.find((example) => example.name === name)?.render();
}

export default island("example", Example);
