import { NETWORK_DEFAULTS } from "@farthing/core/cashback/expectation.ts";
import { expect, test } from "vitest";
import { allNetworks } from "./all-networks.ts";

test("C3 what is usual before the club has a history is set for each network", () => {
  expect(Object.keys(NETWORK_DEFAULTS).sort()).toEqual(allNetworks.map(({ slug }) => slug).sort());
});
