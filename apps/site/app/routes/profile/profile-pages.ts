/** The pages of "my account", in the order of its navigation. Add one when it exists. */
export const profilePages = [
  { key: "overview", label: "Overview", href: "/profile" },
  { key: "verification", label: "Proof of membership", href: "/verification" },
  { key: "digital-id", label: "Digital ID", href: "/digital-id" },
  { key: "favourites", label: "Favourites", href: "/favourites" },
  { key: "security", label: "Sign-in and security", href: "/profile/security" },
] as const;

export type ProfilePageKey = (typeof profilePages)[number]["key"];
