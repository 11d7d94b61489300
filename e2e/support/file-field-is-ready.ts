import { expect, type Page } from "@playwright/test";
import { untilStill } from "./until-still.ts";

/** Waits until FilePond has taken over the page's file field: until then a key or a chosen file may be lost. */
export async function fileFieldIsReady(page: Page): Promise<void> {
  await expect(page.locator(".filepond--root")).toBeVisible();
  await untilStill(page.mainFrame());
}
