import { attachmentParts } from "../attachments/rotate-attachments.server.ts";
import { bankDetailsColumns } from "../bank-details/rotate-details.server.ts";
import { openPayee, sealPayee } from "../closures/payee-seal.ts";
import { openCard, sealCard } from "../gift-cards/card-seal.ts";
import { rotateCards } from "../gift-cards/rotate-cards.server.ts";
import type { KeptPurpose } from "../secrets/kept-keys.server.ts";
import type { SealedColumn } from "../secrets/rotation.ts";
import { openSecret, sealSecret } from "../secrets/sealed-secret.ts";
import { sealedText, type Seal } from "../secrets/sealed-text.server.ts";

const secret: Seal<string> = {
  open: (sealed, memberId, keys) => openSecret(sealed, { memberId, keys }),
  seal: (text, memberId, keys) => sealSecret(text, { memberId, keys }),
};

const cards = sealedText({
  ...{ name: "gift_card_lines.sealed_card", what: "gift cards", purpose: "gift-cards" },
  ...{ table: "gift_card_lines", id: "id", owner: "id", text: "sealed_card" },
  seal: { open: openCard, seal: sealCard },
});

function keptKeys(purpose: KeptPurpose, what: string): SealedColumn {
  return sealedText({
    ...{ name: `kept_keys.sealed (${purpose})`, what, purpose },
    ...{ table: "kept_keys", id: "key_id", idType: "text", owner: "key_id", text: "sealed" },
    where: { column: "purpose", is: purpose },
    seal: secret,
  });
}

/**
 * Every column that holds what is encrypted with a key of FARTHING_SECRET (S1). sealed-columns.test.ts compares the list with the
 * tables and with the code that encrypts. Bank details come before payouts, which hold copies of them.
 */
export const sealedColumns: readonly SealedColumn[] = [
  sealedText({
    ...{ name: "member_second_factors.secret", what: "members' two-step sign-ins", purpose: "member-secrets" },
    ...{ table: "member_second_factors", id: "member_id", owner: "member_id", text: "secret" },
    seal: secret,
  }),
  sealedText({
    ...{ name: "operator_second_factors.secret", what: "operators' second factors", purpose: "operator-secrets" },
    ...{ table: "operator_second_factors", id: "operator_id", owner: "operator_id", text: "secret" },
    seal: secret,
  }),
  keptKeys("member-secrets", "kept keys of members' recovery codes"),
  keptKeys("operator-secrets", "kept keys of operators' recovery codes"),
  ...bankDetailsColumns,
  sealedText({
    ...{ name: "closures.payee", what: "bank details of members who leave", purpose: "payee" },
    ...{ table: "closures", id: "id", owner: "member_id", text: "payee", locksMember: true, isVersioned: true },
    seal: { open: openPayee, seal: sealPayee },
  }),
  // Its own rotation: `npm run gift-cards -- rotate`.
  { ...cards, rotate: rotateCards },
  attachmentParts,
];
