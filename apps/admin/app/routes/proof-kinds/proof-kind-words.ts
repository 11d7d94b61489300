import type { ProofKindRecord } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { drawings, type Drawing } from "@farthing/core/verification-requests/schema.ts";
import type { Typed } from "../../kit/read-form.ts";

const drawingWords: Record<Drawing, string> = {
  payslip: "Payslip",
  card: "Card",
  letter: "Letter",
  certificate: "Certificate",
  screen: "Screen",
};
export const drawingChoices = drawings.map((value) => ({ value, label: drawingWords[value] }));

/** What the fields of the form are called where a stale save compares them. */
export const fieldLabels: Record<string, string> = {
  name: "Name",
  help: "What it is",
  shows: "What has to be readable",
  hides: "What may be covered",
  drawing: "Drawing",
  isGeneral: "General",
  position: "Place",
};

/** Returns a stored kind as its form shows it. */
export function typedOf({ name, help, shows, hides, drawing, isGeneral, position }: ProofKindRecord): Typed {
  return {
    ...{ name, help, shows: shows.join("\n"), hides, drawing },
    ...{ isGeneral: isGeneral ? "yes" : "", position: String(position) },
  };
}
