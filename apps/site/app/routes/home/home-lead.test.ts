import { expect, test } from "vitest";
import { leadOf } from "./home-lead.ts";

test("D1 a home page leads with the first section of the brand's menu", () => {
  const menu = [
    {
      label: "Tech",
      href: "/categories/electronics",
      items: [
        { label: "Electronics", href: "/categories/electronics", items: [{ label: "Bolt", href: "/retailers/bolt" }] },
        { label: "Mobile", href: "/categories/mobile-and-broadband" },
        { label: "Help", href: "/faq" },
      ],
    },
    { label: "Eat", href: "/categories/eating-out" },
  ];
  expect(leadOf(menu)).toEqual({
    label: "Tech",
    href: "/categories/electronics",
    categories: ["electronics", "mobile-and-broadband"],
  });
  expect(leadOf([])).toBeNull();
});
