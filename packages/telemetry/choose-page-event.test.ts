import { expect, test } from "vitest";
import { choosePageEvent } from "./choose-page-event.ts";

const timestampPageLoad = "2026-11-25T10:00:00.000Z";
const all = { OFFER_ID: "o1", RETAILER_NAME: "Fernhollow Boots", CATEGORY_ID: "shoes" };
const open = (name: string, path: string, variables: Partial<typeof all> = all) => {
  const [controller = "", action = ""] = name.split("#");
  return choosePageEvent({
    controller,
    action,
    url: new URL(path, "https://one.test"),
    variables: variables as typeof all,
    timestampPageLoad,
  });
};

test("T1 the controller, the action and the address choose one event", () => {
  expect(open("offers#show", "/offers/x?offer=o1")).toEqual({
    eventType: "OfferPage",
    additionalFields: { OfferId: "o1", timestampPageLoad },
  });
  expect(open("search#index", "/search?q=b%26b%20%C3%BC")).toEqual({
    eventType: "SearchPage",
    additionalFields: { SearchTerm: "b&b ü" },
  });
  expect(open("search#index", "/search")).toEqual({ eventType: "SearchPage", additionalFields: { SearchTerm: "" } });
  expect(open("retailers#show", "/retailers/fernhollow-boots")).toEqual({
    eventType: "RetailerPage",
    additionalFields: { retailerName: "Fernhollow Boots", timestampPageLoad },
  });
  expect(open("categories#show", "/categories/shoes")).toEqual({
    eventType: "CategoryPage",
    additionalFields: { categoryId: "shoes", timestampPageLoad },
  });
});

test("T1 a page without the parameter, without the server's word, or of another name has none", () => {
  expect(open("offers#show", "/offers/x")).toBeNull();
  expect(open("offers#show", "/offers/x?offer=nope", {})).toBeNull();
  expect(open("retailers#show", "/retailers/nope", {})).toBeNull();
  expect(open("categories#show", "/categories/nope", {})).toBeNull();
  for (const name of ["retailers#index", "home#index", "errors#show", "offers#index", "portal#search", "#"])
    expect(open(name, "/search?offer=o1&q=x"), name).toBeNull();
});
