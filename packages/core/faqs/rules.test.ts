import faqsJson from "@farthing/db/seeds/faqs.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { type FaqCategory, fillIn, searchFaqs } from "./rules.ts";
import { faqSeed } from "./schema.ts";

const categories: FaqCategory[] = [
  {
    slug: "cashback",
    name: "Cashback",
    isHidden: false,
    faqs: [
      { slug: "declined", question: "Why was my cashback declined?", answer: "The reason is on your profile." },
      { slug: "late", question: "How long does it take?", answer: "Cashback is confirmed when returns are over." },
    ],
  },
  {
    slug: "account",
    name: "Account",
    isHidden: false,
    faqs: [{ slug: "password", question: "I forgot my password", answer: "We send a café-proof link by e-mail." }],
  },
];
const found = (query: string) => searchFaqs(categories, query).map(({ faq }) => faq.slug);

describe("M8 searching the questions", () => {
  test.each([
    ["a word of a question", "password", ["password"]],
    ["case, accents and punctuation do not matter", "CAFE!", ["password"]],
    ["a word's beginning", "declin", ["declined"]],
    ["one slip", "pasword", ["password"]],
    ["words of the question before words of the answer", "cashback", ["declined", "late"]],
    ["every word has to be there", "cashback password", []],
    ["words without meaning are left out", "how do I get the password", []],
    ["a question in full", "why was my cashback declined?", ["declined"]],
    ["nothing", "", []],
    ["marks alone", "?!…", []],
    ["a word in no question", "zebra", []],
  ])("M8 %s: %s", (_, query, expected) => expect(found(query)).toEqual(expected));

  test("M8 a search for stop words alone searches for them", () => {
    expect(found("how")).toEqual(["late"]);
  });
});

test.each(["missing", "missing cashback", "my purchase is missing", "purchase not there", "claim"])(
  "M8 C7 whoever searches the questions of every brand for “%s” reads first what to do about missing cashback",
  (query) => {
    const seeded = faqSeed.parse(faqsJson).map((category) => ({ ...category, isHidden: false }));
    expect(searchFaqs(seeded, query)[0]?.faq.slug).toBe("my-purchase-is-not-there");
  },
);

test("M8 the search leaves hidden subjects out", () => {
  const hidden = categories.map((category) => ({ ...category, isHidden: category.slug === "cashback" }));
  expect(searchFaqs(hidden, "cashback")).toEqual([]);
  expect(searchFaqs(hidden, "password")).toHaveLength(1);
});

test("B3 a text names the brand that shows it", () => {
  expect(fillIn("{brand}: {support}, {brand}", { name: "$& Club", supportEmail: "help@club.example" })).toBe(
    "$& Club: help@club.example, $& Club",
  );
});
