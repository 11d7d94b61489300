/** Why proof was rejected, and what would be accepted: never only "declined" (M4). */
export interface RejectionReason {
  /** The explanation for the member. */
  says: string;
  /** An example of proof that would be accepted. */
  example: string;
}

export const rejectionReasons = {
  unreadable: {
    says: "We could not read it: it is blurred, too dark or too small.",
    example:
      "A photo taken from straight above in daylight, in which you can read the smallest print when you zoom in.",
  },
  cut_off: {
    says: "Part of it is cut off.",
    example: "The whole page or card with all four corners in the picture, your name and the date among them.",
  },
  out_of_date: {
    says: "It is too old, or its date has passed.",
    example: "A payslip or letter dated within the last three months, or a card that has not run out.",
  },
  no_date: {
    says: "We can see no date on it.",
    example: "A payslip with its pay date, a letter with its date, or a card with “valid until”.",
  },
  name_differs: {
    says: "The name on it is not the name of your account.",
    example:
      "Proof in the name of your account. If your name has changed, change it in your details first, or send the page that shows both names.",
  },
  not_shown: {
    says: "It does not show that you belong to the group you chose.",
    example:
      "A payslip that names the employer, or a work ID with the organisation’s name and yours. A bank statement does not show it.",
  },
  another_group: {
    says: "It shows that you belong to another group than the one you chose.",
    example: "Change your member type in your details to what the proof shows, then send the same proof again.",
  },
  altered: {
    says: "It looks as if it had been changed.",
    example:
      "The original, untouched. You may cover pay and bank details with a piece of paper before you take the photo.",
  },
  other: {
    says: "We could not accept it.",
    example: "See the note, and the list of what counts as proof.",
  },
} as const satisfies Record<string, RejectionReason>;

export type ReasonCode = keyof typeof rejectionReasons;

export function isReasonCode(code: string): code is ReasonCode {
  return Object.hasOwn(rejectionReasons, code);
}
