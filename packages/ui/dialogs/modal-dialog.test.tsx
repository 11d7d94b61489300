import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ModalDialog } from "./modal-dialog.tsx";

const html = (isOpen: boolean) =>
  renderToStaticMarkup(
    <ModalDialog title="Your card" isOpen={isOpen} onClose={() => undefined}>
      <p>Inside</p>
    </ModalDialog>,
  );

it("U1 a dialog is named by its title and says to styles whether it is open (seed section 4)", () => {
  const id = /<h2 id="([^"]+)"[^>]*>Your card<\/h2>/.exec(html(true))?.[1];
  expect(id).toBeTruthy();
  expect(html(true)).toContain(`aria-labelledby="${id}"`);
  expect(html(true)).toContain('data-modal-wrap="active"');
  expect(html(false)).toContain('data-modal-wrap="inactive"');
});

it("U1 as the server sends it, nothing covers the page: opening is the browser's part", () => {
  expect(html(true)).not.toMatch(/<dialog[^>]* open/);
  expect(html(true)).toMatch(/<button type="button"[^>]*><span class="visually-hidden">Close<\/span>/);
});
