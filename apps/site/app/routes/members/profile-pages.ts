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
