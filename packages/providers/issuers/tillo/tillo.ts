import { z } from "zod";
import { header, pathSegment, webAddress } from "../../environment-values.ts";
import { defineIssuer } from "../issuer-definition.ts";
import { createTilloIssuer } from "./tillo-issuer.ts";

const environment = z.object({
  TILLO_API_KEY: header.optional().describe("Your API key at Tillo, which sells gift cards."),
  TILLO_API_SECRET: header.optional().describe("The secret that belongs to the API key; it signs requests."),
  TILLO_API_URL: webAddress.optional().describe("The base address of Tillo's API."),
  TILLO_SECTOR: pathSegment.optional().describe("The sector that Tillo has agreed with you for sales to members."),
});

/** Tillo. On a development machine it has made-up credentials and the sandbox's address: it must never call the real issuer. */
export const tillo = defineIssuer({
  slug: "tillo",
  name: "Tillo",
  environment,
  required: {
    TILLO_API_KEY: "Set the API key that Tillo shows under API Admin.",
    TILLO_API_SECRET: "Set the secret that Tillo showed with the API key.",
    TILLO_SECTOR: "Set the sector that Tillo lists under API Admin, Sectors.",
  },
  readSettings: (variables, { isDevelopment, standInUrl }) => ({
    apiKey: variables.TILLO_API_KEY ?? "development-key",
    secret: variables.TILLO_API_SECRET ?? "development-secret",
    apiUrl: variables.TILLO_API_URL ?? (isDevelopment ? `${standInUrl}/tillo` : "https://app.tillo.io"),
    sector: variables.TILLO_SECTOR ?? "gift-card-mall",
  }),
  createIssuer: createTilloIssuer,
});
