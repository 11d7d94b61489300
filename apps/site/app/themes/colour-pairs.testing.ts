/** Text is 4.5:1 (WCAG 2.2, 1.4.3), whatever its size; edges, marks and rings that one has to see are 3:1 (1.4.11). */
const TEXT = 4.5;
const SIGN = 3;

export type ColourPair = [colour: string, ground: string, least: number, where: string];

/**
 * Every pair of colours that can occur on a page, in every state. `mix(a 82% b)` and `over(a 14% b)` are explained at readColour.
 * A token that is in no pair here and not in `decoration` fails the test: whoever adds a colour says what it is seen on.
 */
export const colourPairs: ColourPair[] = [
  ["--ink", "--ground", TEXT, "text on the page"],
  ["--ink", "--surface", TEXT, "text in cards, fields, dialogs and the menu's sheet"],
  ["--ink", "--sunk", TEXT, "text in code, in a hovered row, under a picture that has not come"],
  ["--ink", "over(--sunk 60% --surface)", TEXT, "a payment's row, hovered"],
  ["--ink", "over(--ground 94% #808080)", TEXT, "the overlay that covers the page while it waits, at its worst"],
  ["--ink-soft", "--ground", TEXT, "text of second rank, crumbs, pending money"],
  ["--ink-soft", "--surface", TEXT, "terms on cards, a field's help, placeholder and search icon"],
  ["--ink-soft", "--sunk", TEXT, "a hovered row's small print; the words of a disabled button"],
  ["--ink-soft", "over(--sunk 60% --surface)", TEXT, "a payment's small print, hovered"],
  ["--ink-soft", "over(--ink-soft 10% --surface)", SIGN, "the heart, hovered"],
  ["--link", "--ground", TEXT, "links, letters of the list A to Z, numbers of steps, a retailer's rate"],
  ["--link", "--surface", TEXT, "links in cards, a field's button"],
  ["--link", "--sunk", TEXT, "a field's button, hovered"],
  ["mix(--ink 82% --link)", "--surface", TEXT, "a visited card's headline"],
  ["over(--ink 10% --ground)", "--ink", TEXT, "a quiet button, hovered"],
  ["over(--ink 10% --surface)", "--ink", TEXT, "a quiet button and a dialog's cross, hovered"],
  ["--headline-ink", "--headline-ground", TEXT, "what you get, on a card"],
  ["mix(--headline-ink 82% --link)", "--headline-ground", TEXT, "what you get, on a card one has seen"],
  ["--ink", "--tile-ground", TEXT, "a retailer's name on its tile"],
  ["--ink-soft", "--tile-ground", TEXT, "a retailer's rate on its tile"],

  ["--on-header", "--header", TEXT, "the bar at the top"],
  ["--on-header", "over(--on-header 10% --header)", TEXT, "Log in up there, hovered"],
  ["--wordmark-colour", "--header", SIGN, "the symbol beside the name (a logo need not, ours do)"],
  ["--header-mark", "--header", SIGN, "the line under the current entry of the menu"],
  ["--header-focus", "--header", SIGN, "focus rings in the header"],

  ["--on-hero", "--hero", TEXT, "hero, deal panel, balance"],
  ["--on-hero-soft", "--hero", TEXT, "the lead in the hero, hints in the deal panel"],
  ["--on-hero", "over(--on-hero 12% --hero)", TEXT, "a chip or a quiet button, hovered; a copied code"],
  ["over(--on-hero 65% --hero)", "--hero", SIGN, "a chip's edge"],
  ["--hero-action", "--hero", SIGN, "the button in the hero and the deal panel"],
  ["--on-hero-action", "--hero-action", TEXT, "its words, and the search button's focus ring"],
  ["--hero-action-hover", "--hero", SIGN, "the same button, hovered and pressed"],
  ["--on-hero-action", "--hero-action-hover", TEXT, "its words then"],
  [
    "--on-hero-disabled",
    "--hero-disabled",
    TEXT,
    "its words when it can't be pressed (WCAG would let them be fainter)",
  ],
  ["--hero-disabled-edge", "--hero-disabled", SIGN, "its edge then"],
  [
    "--on-hero-field",
    "--hero-field",
    TEXT,
    "the search field in the hero, the choice in the deal panel, and their edges",
  ],
  ["mix(--on-hero-field 72% --hero-field)", "--hero-field", TEXT, "the placeholder and the icon in there"],
  ["--hero-focus", "--hero", SIGN, "focus rings in the hero and the deal panel"],

  ["--on-footer", "--footer", TEXT, "the foot of the page"],
  ["--on-footer-soft", "--footer", TEXT, "its small print"],
  ["--on-footer", "over(--on-footer 14% --footer)", TEXT, "a button down there, hovered"],
  ["--footer-mark", "--footer", SIGN, "the symbol down there"],
  ["--footer-focus", "--footer", SIGN, "focus rings down there"],

  ["--action", "--ground", SIGN, "a button on the page, a step of the timeline"],
  ["--action", "--surface", SIGN, "a button in a card, a ticked box"],
  ["--on-action", "--action", TEXT, "a button's words, the letter one is at, the search button's focus ring"],
  ["--action-hover", "--ground", SIGN, "a button on the page, hovered and pressed"],
  ["--action-hover", "--surface", SIGN, "a button in a card, hovered and pressed"],
  ["--action", "--sunk", SIGN, "how far one has come, on its bar"],
  ["--on-action", "--action-hover", TEXT, "a button's words, hovered and pressed"],

  ["--on-accent", "--accent", TEXT, "the banner, boosts, selected text"],
  ["--on-accent", "over(--on-accent 14% --accent)", SIGN, "the banner's cross, hovered"],
  ["--on-tint", "--tint", TEXT, "tags, notices, how cashback works"],
  ["--good", "--good-tint", TEXT, "a good state, in its tag and its notice"],
  ["--good", "--surface", TEXT, "a good state in a card, the timeline's points"],
  ["--good", "--ground", TEXT, "a good state on the page"],
  ["--warn", "--warn-tint", TEXT, "a warning, in its tag and its notice, and a saved offer that is over"],
  ["--warn", "--surface", TEXT, "a warning in a card"],
  ["--warn", "--ground", TEXT, "a warning on the page"],
  ["--bad", "--bad-tint", TEXT, "what went wrong, in its tag and its notice"],
  ["--bad", "--surface", TEXT, "what went wrong, beside its field, and the field's edge"],
  ["--bad", "--ground", TEXT, "the same where the form is on the page"],
  ["--surface", "--good", TEXT, "a digital ID that is valid, as a till sees it"],
  ["--surface", "--bad", TEXT, "one that is not"],
  ["--favourite", "--surface", SIGN, "the heart of a favourite, on its card"],
  ["--favourite", "--ground", SIGN, "the heart of a favourite, on a tile"],
  ["--favourite", "over(--favourite 10% --surface)", SIGN, "the same, hovered"],

  ["--edge-strong", "--surface", SIGN, "the edge of a field, a chip, a box to tick"],
  ["--edge-strong", "--ground", SIGN, "the same on the page; a step that is only expected"],
  ["--focus", "--ground", SIGN, "focus rings on the page"],
  ["--focus", "--surface", SIGN, "focus rings in cards, dialogs and the menu's sheet"],
  ["--focus", "--sunk", SIGN, "focus rings in a hovered row"],
  ["--focus", "--tint", SIGN, "focus rings in a quiet panel"],
  ["#808080", "--ground", SIGN, "the spinner, grey unless its place says otherwise"],
  ["#808080", "--surface", SIGN, "the spinner in a card"],
];

/** Colours that nobody has to see to understand or use a page, each with the reason. */
export const decoration: Record<string, string> = {
  "--edge": "cards are told apart by their content and the space between them",
  "--card-edge": "the same",
  "--card-top": "the same, heavier on top",
  "--tile-edge": "the same around a retailer",
  "--card-tear": "the same, torn",
  "--rule": "lines between rows that space divides already",
  "--section-rule": "headings are told by their size",
  "--header-edge": "the header is told by its place",
  "--hero-edge": "the hero is told by its ground",
  "--hero-outline": "a frame for its own sake",
  "--heading-mark-colour": "the drawing under a heading, and the dashes of a list",
  "--header-band": "a drawing",
  "--hero-texture": "a drawing, faint enough to read on: its strength is looked at, not computed",
  "--ground-texture": "the same on the page",
  "--backdrop": "darkens what lies behind a dialog",
  "--pop-shadow": "a shadow",
  "--button-shadow": "a shadow",
  "--card-shadow": "a shadow",
  "--card-hover-shadow": "a shadow",
  "--tile-shadow": "a shadow",
  "--card-filter": "a shadow",
  "--card-hover-filter": "a shadow",
};

/** What a token means where it says nothing of its own. */
export const standsFor: Record<string, string> = {
  "--headline-ink": "--ink",
  "--headline-ground": "--surface",
  "--tile-ground": "--ground",
};
