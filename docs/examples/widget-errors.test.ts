import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ELEMENT_MARKUP, MOUNT_SCRIPT, reactCode } from "../../apps/site/app/routes/partners/snippets.ts";
import { fencedBlocks, root } from "./fenced-blocks.ts";

// Partners copy these examples. Without the property, a payer whose bank's challenge failed is told nothing in the card form.

const documents = [
  "docs/widget.md",
  "docs/gift-card-portal.md",
  "packages/widget/README.md",
  ...readdirSync(join(root, "docs/widget")).map((name) => `docs/widget/${name}`),
];
const PLACES = /<farthing-(?:widget|gift-cards)\b|<Farthing(?:Widget|GiftCards)\b|\.mount\(|createElement\("farthing-/;
const placing = documents.flatMap(fencedBlocks).filter(({ text }) => PLACES.test(text));
const copied = [
  ...placing.map(({ document, line, text }) => ({ where: `${document}, line ${line}`, text })),
  { where: "the partners' page, element", text: ELEMENT_MARKUP },
  { where: "the partners' page, script", text: MOUNT_SCRIPT },
  { where: "the partners' page, React", text: reactCode("https://club.example") },
];

test.each(copied)("W8 the example of $where shows payment errors", ({ text }) => {
  expect(text).toMatch(/\bshow-payment-errors\b|\bshowPaymentErrors\b/);
});
