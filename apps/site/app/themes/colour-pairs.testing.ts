/**
 * The minimum contrast of text of any size (WCAG 2.2, 1.4.3), and of edges, marks and focus rings that carry
 * meaning (1.4.11).
 */
const TEXT = 4.5;
const MARK = 3;

export type ColourPair = [colour: string, ground: string, minContrast: number, where: string];

/**
 * Every pair of colours that occurs on a page, in every state. readColour explains `mix(a 82% b)` and `over(a 14% b)`.
 * A token that is in no pair and not in `decoration` fails the test: a new colour needs the ground it stands on.
 */
export const colourPairs: ColourPair[] = [
  ["--ink", "--ground", TEXT, "text on the page"],
  ["--ground", "--ink", TEXT, "the banner while an operator acts as a member"],
  ["--ink", "--surface", TEXT, "text in cards, fields, dialogs and the menu's sheet"],
  ["--ink", "--sunk", TEXT, "text in code, in a hovered row, behind an image that has not loaded"],
  ["--ink", "over(--sunk 60% --surface)", TEXT, "a payment's row, hovered"],
  ["--ink", "over(--ground 94% #808080)", TEXT, "the overlay of a long submit, over the worst background"],
  ["--ink-soft", "--ground", TEXT, "secondary text, crumbs, pending money"],
  ["--ink-soft", "--surface", TEXT, "terms on cards, a field's help, placeholder and search icon"],
  ["--ink-soft", "--sunk", TEXT, "a hovered row's small print; the words of a disabled button"],
  ["--ink-soft", "over(--sunk 60% --surface)", TEXT, "a payment's small print, hovered"],
  ["--ink-soft", "over(--ink-soft 10% --surface)", MARK, "the heart, hovered"],
  ["--link", "--ground", TEXT, "links, letters of the list A to Z, numbers of steps, a retailer's rate"],
  ["--link", "--surface", TEXT, "links in cards, a field's button"],
  ["--link", "--sunk", TEXT, "a field's button, hovered"],
  ["mix(--ink 82% --link)", "--surface", TEXT, "a visited card's headline"],
  ["over(--ink 10% --ground)", "--ink", TEXT, "a quiet button, hovered"],
  ["over(--ink 10% --surface)", "--ink", TEXT, "a quiet button and a dialog's cross, hovered"],
  ["--headline-ink", "--headline-ground", TEXT, "the benefit on a card"],
  ["mix(--headline-ink 82% --link)", "--headline-ground", TEXT, "the benefit on a visited card"],
  ["--ink", "--tile-ground", TEXT, "a retailer's name on its tile"],
  ["--ink-soft", "--tile-ground", TEXT, "a retailer's rate on its tile"],

  ["--on-header", "--header", TEXT, "the bar at the top"],
  ["--on-header", "over(--on-header 10% --header)", TEXT, "Log in in the header, hovered"],
  ["--wordmark-colour", "--header", MARK, "the symbol beside the name (WCAG exempts logos; ours comply)"],
  ["--header-mark", "--header", MARK, "the line under the current entry of the menu"],
  ["--header-focus", "--header", MARK, "focus rings in the header"],

  ["--on-hero", "--hero", TEXT, "hero, deal panel, balance"],
  ["--on-hero-soft", "--hero", TEXT, "the lead in the hero, hints in the deal panel"],
  ["--on-hero", "over(--on-hero 12% --hero)", TEXT, "a chip or a quiet button, hovered; a copied code"],
  ["over(--on-hero 65% --hero)", "--hero", MARK, "a chip's edge"],
  ["--hero-action", "--hero", MARK, "the button in the hero and the deal panel"],
  ["--on-hero-action", "--hero-action", TEXT, "its label, and the search button's focus ring"],
  ["--hero-action-hover", "--hero", MARK, "the same button, hovered and pressed"],
  ["--on-hero-action", "--hero-action-hover", TEXT, "its label then"],
  ["--on-hero-disabled", "--hero-disabled", TEXT, "its label when it is disabled (WCAG exempts disabled controls)"],
  ["--hero-disabled-edge", "--hero-disabled", MARK, "its edge then"],
  [
    "--on-hero-field",
    "--hero-field",
    TEXT,
    "the search field in the hero, the select in the deal panel, and their edges",
  ],
  ["mix(--on-hero-field 72% --hero-field)", "--hero-field", TEXT, "the placeholder and the icon in these fields"],
  ["--hero-focus", "--hero", MARK, "focus rings in the hero and the deal panel"],

  ["--on-footer", "--footer", TEXT, "the footer"],
  ["--on-footer-soft", "--footer", TEXT, "its small print"],
  ["--on-footer", "over(--on-footer 14% --footer)", TEXT, "a button in the footer, hovered"],
  ["--footer-mark", "--footer", MARK, "the symbol in the footer"],
  ["--footer-focus", "--footer", MARK, "focus rings in the footer"],

  ["--action", "--ground", MARK, "a button on the page, a step of the timeline"],
  ["--action", "--surface", MARK, "a button in a card, a ticked box"],
  [
    "--on-action",
    "--action",
    TEXT,
    "a button's label, the current letter of the list A to Z, the search button's focus ring",
  ],
  ["--action-hover", "--ground", MARK, "a button on the page, hovered and pressed"],
  ["--action-hover", "--surface", MARK, "a button in a card, hovered and pressed"],
  ["--action", "--sunk", MARK, "a progress bar"],
  ["--on-action", "--action-hover", TEXT, "a button's label, hovered and pressed"],

  ["--on-accent", "--accent", TEXT, "the banner, boosts, selected text"],
  ["--on-accent", "over(--on-accent 14% --accent)", MARK, "the banner's cross, hovered"],
  ["--on-tint", "--tint", TEXT, "tags, notices, how cashback works"],
  ["--good", "--good-tint", TEXT, "a good state, in its tag and its notice"],
  ["--good", "--surface", TEXT, "a good state in a card, the timeline's points"],
  ["--good", "--ground", TEXT, "a good state on the page"],
  ["--warn", "--warn-tint", TEXT, "a warning, in its tag and its notice, and a saved offer that is over"],
  ["--ink", "--warn-tint", TEXT, "a notice of trouble or of planned work"],
  ["--ink", "--good-tint", TEXT, "a notice that something is over"],
  ["--warn", "--surface", TEXT, "a warning in a card"],
  ["--warn", "--ground", TEXT, "a warning on the page"],
  ["--bad", "--bad-tint", TEXT, "an error, in its tag and its notice"],
  ["--bad", "--surface", TEXT, "an error beside its field, and the field's edge"],
  ["--bad", "--ground", TEXT, "an error of a form on the page"],
  ["--surface", "--good", TEXT, "a digital ID that is valid, as a till sees it"],
  ["--surface", "--bad", TEXT, "one that is not"],
  ["--favourite", "--surface", MARK, "the heart of a favourite, on its card"],
  ["--favourite", "--ground", MARK, "the heart of a favourite, on a tile"],
  ["--favourite", "over(--favourite 10% --surface)", MARK, "the same, hovered"],

  ["--edge-strong", "--surface", MARK, "the edge of a field, a chip, a box to tick"],
  ["--edge-strong", "--ground", MARK, "the same on the page; a step that is only expected"],
  ["--focus", "--ground", MARK, "focus rings on the page"],
  ["--focus", "--surface", MARK, "focus rings in cards, dialogs and the menu's sheet"],
  ["--focus", "--sunk", MARK, "focus rings in a hovered row"],
  ["--focus", "--tint", MARK, "focus rings in a quiet panel"],
  ["#808080", "--ground", MARK, "the spinner, grey by default"],
  ["#808080", "--surface", MARK, "the spinner in a card"],
];

/** Colours that nobody needs to see to understand or use a page, each with the reason. */
export const decoration: Record<string, string> = {
  "--edge": "cards are separated by their content and the space between them",
  "--card-edge": "the same",
  "--card-top": "the same, heavier on top",
  "--tile-edge": "the same around a retailer",
  "--card-tear": "the same, torn",
  "--rule": "lines between rows that space divides already",
  "--section-rule": "headings are recognised by their size",
  "--header-edge": "the header is recognised by its place",
  "--hero-edge": "the hero is recognised by its ground",
  "--hero-outline": "an ornamental frame",
  "--heading-mark-colour": "the drawing under a heading, and the dashes of a list",
  "--header-band": "a drawing",
  "--hero-texture": "a drawing, faint enough to read on: checked by eye",
  "--ground-texture": "the same on the page",
  "--backdrop": "darkens the page behind a dialog",
  "--pop-shadow": "a shadow",
  "--button-shadow": "a shadow",
  "--card-shadow": "a shadow",
  "--card-hover-shadow": "a shadow",
  "--tile-shadow": "a shadow",
  "--card-filter": "a shadow",
  "--card-hover-filter": "a shadow",
};

/** The token that applies where another has no colour of its own. */
export const fallbackTokens: Record<string, string> = {
  "--headline-ink": "--ink",
  "--headline-ground": "--surface",
  "--tile-ground": "--ground",
};
