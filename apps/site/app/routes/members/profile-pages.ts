/** The pages of the account, in the order of its navigation. */
export const profilePages = [
  { key: "overview", label: "Overview", href: "/profile" },
  { key: "money", label: "Money", href: "/money" },
  { key: "details", label: "Details", href: "/profile/details" },
  { key: "verification", label: "Proof of membership", href: "/verification" },
  { key: "digital-id", label: "Digital ID", href: "/digital-id" },
  { key: "favourites", label: "Favourites", href: "/favourites" },
  { key: "security", label: "Sign-in and security", href: "/profile/security" },
  { key: "notifications", label: "Notifications", href: "/profile/notifications" },
  { key: "privacy", label: "Privacy", href: "/profile/privacy" },
] as const;

export type ProfilePageKey = (typeof profilePages)[number]["key"];

export interface MenuLink {
  label: string;
  href: string;
}

/** The member's own pages in the phone's menu (D6), in the words of the account's navigation, as far as the brand has them. */
export function menuPages({ sellsGiftCards, invites }: { sellsGiftCards: boolean; invites: boolean }): MenuLink[] {
  const { money, favourites, "digital-id": digitalId } = labelOf;
  return [
    { label: "Profile", href: "/profile" },
    { label: money, href: "/money" },
    { label: "Missing cashback", href: "/money/claims" },
    { label: favourites, href: "/favourites" },
    { label: digitalId, href: "/digital-id" },
    ...(sellsGiftCards ? [{ label: "Your gift cards", href: "/money/gift-cards" }] : []),
    ...(invites ? [{ label: "Invite a friend", href: "/money/friends" }] : []),
  ];
}

const labelOf = Object.fromEntries(profilePages.map(({ key, label }) => [key, label])) as Record<
  ProfilePageKey,
  string
>;
