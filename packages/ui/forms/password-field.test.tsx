import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PasswordField } from "./password-field.tsx";

test("M3 Y2 a password is hidden at first, has its autocomplete token, and accepts pasting", () => {
  const html = renderToStaticMarkup(
    <PasswordField id="password" name="password" label="Password" autoComplete="current-password" />,
  );
  expect(html).toContain('type="password"');
  expect(html).toContain('autoComplete="current-password"');
  expect(html).toMatch(/<button type="button"[^>]*aria-pressed="false"/);
  expect(html).not.toMatch(/onpaste|no-paste/i);
});
