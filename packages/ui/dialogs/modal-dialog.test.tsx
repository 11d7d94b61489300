import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ModalDialog } from "./modal-dialog.tsx";

const html = (isOpen: boolean) =>
  renderToStaticMarkup(
    <ModalDialog id="card" title="Your card" isOpen={isOpen} onClose={() => undefined}>
      <p>Inside</p>
    </ModalDialog>,
  );

test("U1 a dialog is named by its title and tells styles whether it is open", () => {
  const id = /<h2 id="([^"]+)"[^>]*>Your card<\/h2>/.exec(html(true))?.[1];
  expect(id).toBeTruthy();
  expect(html(true)).toContain(`aria-labelledby="${id}"`);
  expect(html(true)).toContain('data-modal-wrap="active"');
  expect(html(false)).toContain('data-modal-wrap="inactive"');
});

test("U1 the server's markup does not open the dialog; the browser does", () => {
  expect(html(true)).not.toMatch(/<dialog[^>]* open/);
  expect(html(true)).toMatch(/<button type="button"[^>]*><span class="visually-hidden">Close<\/span>/);
});
