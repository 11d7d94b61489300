type Path = `/${string}`;

const segment = encodeURIComponent;

/**
 * The addresses of the members' site that code outside the site writes: in e-mails, menus, sitemaps and redirects. Each
 * is a path from the root of a brand's host. `apps/site/app/routes.ts` defines the pages; a test matches every path
 * here with a route there.
 */
export const paths = {
  home: "/",
  retailers: "/retailers",
  retailer: (slug: string): Path => `/retailers/${segment(slug)}`,
  /** The slug is for readers; `publicId` finds the offer. */
  offer: ({ slug, publicId }: { slug: string; publicId: string }): Path =>
    `/offers/${segment(slug)}?offer=${segment(publicId)}`,
  category: (slug: string): Path => `/categories/${segment(slug)}`,
  faqs: "/faq",
  faqCategory: (slug: string): Path => `/faq/${segment(slug)}`,
  faq: ({ category, slug }: { category: string; slug: string }): Path => `/faq/${segment(category)}/${segment(slug)}`,
  legalPage: (slug: string): Path => `/legal/${segment(slug)}`,

  /** The page that a member's link leads to. */
  invitation: (code: string): Path => `/join/${segment(code)}`,

  login: "/login",
  logout: "/logout",
  confirmEmail: "/confirm-email",
  forgottenPassword: "/forgotten-password",
  resetPassword: "/reset-password",
  undoEmailChange: "/undo-email-change",

  profile: "/profile",
  money: "/money",
  claims: "/money/claims",
  claim: (publicId: string): Path => `/money/claims/${segment(publicId)}`,
  giftCards: "/money/gift-cards",
  giftCard: (publicId: string): Path => `/money/gift-cards/${segment(publicId)}`,
  givenCard: (publicId: string): Path => `/money/gift-cards/${segment(publicId)}/gift`,
  /** The page of a present, for whoever has its mail. */
  present: (token: string): Path => `/gift/${segment(token)}`,
  withdraw: "/money/withdraw",
  bankDetails: "/money/bank-details",
  friends: "/money/friends",
  removeBankDetails: "/remove-bank-details",
  security: "/profile/security",
  accountAccess: "/profile/access",
  /** Where a member says yes or no to an operator who asks to act as them. */
  accountAccessRequest: (publicId: string): Path => `/profile/access/${segment(publicId)}`,
  closeAccount: "/profile/privacy/close",
  unsubscribe: "/unsubscribe",
  stopAlert: "/alerts/stop",

  verification: "/verification",
  verificationAttachment: "/verification/attachment",
  workEmail: "/verification/work-email",
  carerMoveConfirmation: "/carer-migration/confirm",
  digitalId: "/digital-id",

  partners: "/partners",
  pay: "/pay",
  /** The gift-card portal, in a frame only. */
  portal: "/portal",
} as const satisfies Record<string, Path | ((...parts: never[]) => Path)>;

/** Returns the address of a page with the token that an e-mail's link carries. */
export function withToken(page: Path, token: string): Path {
  return `${page}?token=${segment(token)}`;
}

/** Returns the address of a sign-in page with the path that the person goes on to. */
export function withNext(page: Path, next: string): Path {
  return `${page}?next=${segment(next)}`;
}
