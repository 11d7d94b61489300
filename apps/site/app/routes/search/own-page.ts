import type { BrandFeatures } from "@farthing/core/brands/brand.ts";
import { paths } from "@farthing/core/paths.ts";

/** A page of the club that a query names: people look for the club's own services in the search field too. */
export interface OwnPage {
  /** Follows “Looking for”. */
  label: string;
  href: string;
}

const ownPages: (OwnPage & { named: RegExp; needs?: keyof BrandFeatures })[] = [
  { label: "gift cards", href: "/gift-cards", named: /\bgift ?(cards?|vouchers?)\b/, needs: "giftCards" },
  { label: "missing cashback", href: paths.claims, named: /\b(missing|untracked|claims?)\b/ },
  { label: "how to withdraw your cashback", href: paths.withdraw, named: /\b(withdraw(al|als|ing)?|pay ?outs?)\b/ },
  {
    label: "inviting friends",
    href: paths.friends,
    named:
      /\b(refer(ral|rals|ring)?|invit(e|es|ing|ation|ations)) ?(a|your|my)? ?friends?\b|^(refer|referrals?|invite)$/,
  },
  {
    label: "your gift cards",
    href: paths.giftCards,
    named: /^(my |your )?(wallet|gift ?cards? wallet)$/,
    needs: "giftCards",
  },
  {
    label: "your cashback",
    href: paths.money,
    named: /\b(my|your) (cashback|money|balance|earnings)\b|^(cashback|balance|earnings|my money)$/,
  },
  { label: "your digital ID", href: paths.digitalId, named: /\b(digital id|(membership|member's|members) card)\b/ },
  { label: "help", href: paths.faqs, named: /^(help|contact|faqs?|support|customer services?)$/ },
];

/** Returns the page of the club that a query names, or null. */
export function findOwnPage(query: string, features: BrandFeatures): OwnPage | null {
  const folded = query
    .toLowerCase()
    .replaceAll(/[\s-]+/g, " ")
    .trim();
  const page = ownPages.find(({ named, needs }) => named.test(folded) && (needs === undefined || features[needs]));
  return page ? { label: page.label, href: page.href } : null;
}
