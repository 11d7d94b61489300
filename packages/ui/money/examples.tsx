import type { PartExamples } from "../examples.ts";
import { Amount } from "./amount.tsx";

export const examples: PartExamples = {
  amount: [
    { name: "Pounds and pence", render: () => <Amount pence={1234} /> },
    { name: "Nothing", render: () => <Amount pence={0} /> },
    { name: "Negative", render: () => <Amount pence={-1234} /> },
    { name: "Pending", render: () => <Amount pence={1234} isPending /> },
    { name: "Large", render: () => <Amount pence={123_456_789_00} /> },
  ],
};
