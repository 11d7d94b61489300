import { tokenPurposes, type TokenPurpose } from "./token-rules.ts";

/**
 * What each act of recovery takes from somebody who got into an account (decision 020). The table is what the code runs on (end-access.server.ts) and what the
 * matrix of tests is made from, so a new kind of token or credential has to say here what ends it.
 */

/** What opens an account again and again until somebody takes it away. */
const standing = ["password", "address", "passkey", "app-secret", "recovery-code", "payee"] as const;

/** What was opened, or is on its way. It can be had again by whoever has a right to it, so every act ends it. */
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
] as const;

/** What takes nothing from anybody. */
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
  /** It is kept for the member's return and refused until then. */
  | "barred"
  /** The act does not end it, and why. */
  | { stays: string };

type Fates = Readonly<Record<Holding, Fate>>;

const stays = (reason: string): Fate => ({ stays: reason });

/** "ends" for all that an act does not say. */
function fates(said: Partial<Record<Holding, Fate>>): Fates {
  const mails = stays("It stops mails and does nothing else; mails lie in mailboxes for years.");
  const all = Object.fromEntries(holdings.map((holding) => [holding, "ends"])) as Record<Holding, Fate>;
  return { ...all, "link:unsubscribe": mails, "link:stop-alert": mails, ...said };
}

const ownersWayBack = stays(
  "It is how an owner takes the account back. If this act ended it, a thief would do the act to be rid of it.",
);
const seenOnThePage = "The member is signed in and sees each of them on the security page, with a button to remove it.";
const notAboutThis = {
  password: stays("The act says nothing about the password; the page beside it changes it."),
  address: stays(seenOnThePage),
  passkey: stays(seenOnThePage),
  "app-secret": stays("The act says nothing about two-step sign-in; alone a code opens nothing."),
  "recovery-code": stays("The act says nothing about two-step sign-in; alone a code opens nothing."),
  payee: stays(
    "The member is signed in and sees on the page of closing where the money goes, with a form to change it.",
  ),
  "link:undo-email-change": ownersWayBack,
} as const;

const secondStepAlone = stays(
  "It is the second step alone and opens nothing without the password. If a reset ended it, a mailbox alone would open an account of two steps.",
);

const untilTheyReturn = "barred" as const;

const oneSession = stays("Only the session that is named ends; “Sign out everywhere else” is beside it.");

export const recoveryTable: Readonly<Record<RecoveryAct, Fates>> = {
  "reset-password": fates({
    password: "by-the-act",
    address: stays(
      "Any of a member's addresses resets, so nobody can tell which are theirs. The mail about the new password names the others.",
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
    password: untilTheyReturn,
    address: untilTheyReturn,
    passkey: untilTheyReturn,
    "app-secret": untilTheyReturn,
    "recovery-code": untilTheyReturn,
  }),
  close: fates({ "link:unsubscribe": "ends", "link:stop-alert": "ends" }),
};

/** Whether a holding is worth nothing after an act. */
export function isWorthless(act: RecoveryAct, holding: Holding): boolean {
  return typeof recoveryTable[act][holding] === "string";
}
