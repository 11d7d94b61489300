import { tokenPurposes, type TokenPurpose } from "./token-rules.ts";

/**
 * What each act of recovery takes from an intruder (decision 020). The code runs on this table (end-access.server.ts)
 * and the test matrix is generated from it, so a new kind of token or credential has to state here what ends it.
 */

/** What opens an account repeatedly until it is removed. */
const standing = ["password", "address", "passkey", "app-secret", "recovery-code", "payee", "bank-details"] as const;

/** What is open or pending. Its rightful owner can get it again, so every act ends it. */
const passing = [
  "session",
  "half-login",
  "device-mark",
  "digital-id",
  "reveal-token",
  "shown-secret",
  ...tokenPurposes.map(<Purpose extends TokenPurpose>(purpose: Purpose) => `link:${purpose}` as const),
  "link:work-email",
  "link:carer-move",
  // An operator's session as the member, or their question.
  "account-access",
] as const;

/** What can do no harm. */
const harmless = ["link:unsubscribe", "link:stop-alert"] as const;

export type Holding = (typeof standing)[number] | (typeof passing)[number] | (typeof harmless)[number];

export const holdings: readonly Holding[] = [...standing, ...passing, ...harmless];

export const recoveryActs = [
  "reset-password",
  "change-password",
  "undo-email-change",
  "sign-out-everywhere",
  "sign-out-elsewhere",
  "end-session",
  "remove-email",
  "remove-passkey",
  "turn-on-second-factor",
  "turn-off-second-factor",
  "renew-recovery-codes",
  "suspend",
  "close",
] as const;

export type RecoveryAct = (typeof recoveryActs)[number];

export type Fate =
  /** `endAccess` ends it. */
  | "ends"
  /** The act itself ends it: the passkey that is removed, the password that is replaced. */
  | "by-the-act"
  /** Kept until the member is restored, and refused until then. */
  | "barred"
  /** The act does not end it; `stays` is the reason. */
  | { stays: string };

type Fates = Readonly<Record<Holding, Fate>>;

const stays = (reason: string): Fate => ({ stays: reason });

/** Returns the fate of every holding: "ends" unless `said` has another. */
function fates(said: Partial<Record<Holding, Fate>>): Fates {
  const mails = stays("It only stops mails, and mails stay in mailboxes for years.");
  const all = Object.fromEntries(holdings.map((holding) => [holding, "ends"])) as Record<Holding, Fate>;
  const removes = stays("It only removes bank details, which the member can give again, and opens nothing.");
  return { ...all, "link:unsubscribe": mails, "link:stop-alert": mails, "link:remove-bank-details": removes, ...said };
}

const ownersWayBack = stays(
  "The owner takes the account back with it. If this act ended it, a thief could use the act to remove it.",
);
const seenOnThePage = "The member is signed in and sees each of them on the security page, with a button to remove it.";
const notAboutThis = {
  password: stays("The act is not about the password; another page changes it."),
  address: stays(seenOnThePage),
  passkey: stays(seenOnThePage),
  "app-secret": stays("The act is not about two-step sign-in; a code alone opens nothing."),
  "recovery-code": stays("The act is not about two-step sign-in; a code alone opens nothing."),
  "bank-details": stays(
    "The member is signed in, had a mail about the change with a link that removes it, and nothing is paid for 72 hours.",
  ),
  payee: stays(
    "The member is signed in and sees the payout account on the closure page; a change is mailed, with a link that removes it, and nothing is paid for 72 hours.",
  ),
  "link:undo-email-change": ownersWayBack,
} as const;

const secondStepAlone = stays(
  "It is only the second step and opens nothing without the password. If a reset ended it, access to the mailbox would be enough to open an account with two-step sign-in.",
);

const UNTIL_THEY_RETURN = "barred" as const;

const stillPaid = stays(
  "A suspended member's money stays theirs and is still paid (C6); an operator who suspects fraud holds payouts.",
);

const oneSession = stays("Only the named session ends; “Sign out everywhere else” is a separate button.");

export const recoveryTable: Readonly<Record<RecoveryAct, Fates>> = {
  "reset-password": fates({
    password: "by-the-act",
    address: stays(
      "Any of a member's addresses can reset the password, so the act can't tell which are genuine. The mail about the new password names the others.",
    ),
    "app-secret": secondStepAlone,
    "recovery-code": secondStepAlone,
    "link:undo-email-change": ownersWayBack,
  }),
  "change-password": fates({ ...notAboutThis, password: "by-the-act" }),
  "undo-email-change": fates({ address: "by-the-act" }),
  "sign-out-everywhere": fates(notAboutThis),
  "sign-out-elsewhere": fates(notAboutThis),
  "end-session": fates({
    ...notAboutThis,
    "half-login": oneSession,
    "device-mark": oneSession,
    "shown-secret": oneSession,
    "link:confirm-email": oneSession,
    "link:reset-password": oneSession,
    "link:add-email": oneSession,
    "link:work-email": oneSession,
    "link:carer-move": oneSession,
    "account-access": oneSession,
    session: "by-the-act",
    "digital-id": "by-the-act",
    "reveal-token": "by-the-act",
  }),
  "remove-email": fates({ ...notAboutThis, address: "by-the-act" }),
  "remove-passkey": fates({ ...notAboutThis, passkey: "by-the-act" }),
  "turn-on-second-factor": fates({
    ...notAboutThis,
    "app-secret": "by-the-act",
    "recovery-code": "by-the-act",
    "shown-secret": "by-the-act",
  }),
  "turn-off-second-factor": fates({
    ...notAboutThis,
    "app-secret": "by-the-act",
    "recovery-code": "by-the-act",
  }),
  "renew-recovery-codes": fates({ ...notAboutThis, "recovery-code": "by-the-act" }),
  suspend: fates({
    password: UNTIL_THEY_RETURN,
    address: UNTIL_THEY_RETURN,
    passkey: UNTIL_THEY_RETURN,
    "app-secret": UNTIL_THEY_RETURN,
    "recovery-code": UNTIL_THEY_RETURN,
    "link:remove-bank-details": UNTIL_THEY_RETURN,
    payee: stillPaid,
    "bank-details": stillPaid,
  }),
  close: fates({ "link:unsubscribe": "ends", "link:stop-alert": "ends", "link:remove-bank-details": "ends" }),
};
