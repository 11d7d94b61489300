import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { Amount } from "./amount.tsx";
import { CopyButton } from "./copy-button.tsx";
import { PasswordField } from "./forms/password-field.tsx";
import { Spinner } from "./spinner.tsx";

describe("components as the server renders them", () => {
  test("C3 pending money is also marked by a word, and negative amounts have a typographic minus", () => {
    expect(renderToStaticMarkup(<Amount pence={1234} />)).toContain(">£12.34</span>");
    const pending = renderToStaticMarkup(<Amount pence={-1234} isPending />);
    expect(pending).toContain("\u2212£12.34");
    expect(pending).toContain(" pending</span>");
  });

  test("O3 P8 Copy code is disabled until the script has loaded", () => {
    const html = renderToStaticMarkup(<CopyButton text="BOOTS15" fallbackTarget="offer-code" />);
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Copy code<\/button>/);
    expect(html).toContain('role="status"');
  });

  test("M3 Y2 a password is hidden at first, recognisable to password managers, and can be pasted", () => {
    const html = renderToStaticMarkup(
      <PasswordField id="password" name="password" label="Password" autoComplete="current-password" />,
    );
    expect(html).toContain('type="password"');
    expect(html).toContain('autoComplete="current-password"');
    expect(html).toMatch(/<button type="button"[^>]*aria-pressed="false"/);
    expect(html).not.toMatch(/onpaste|no-paste/i);
  });

  test("O6 a spinner without a label is decoration, one with a label announces it", () => {
    expect(renderToStaticMarkup(<Spinner />)).toContain('aria-hidden="true"');
    expect(renderToStaticMarkup(<Spinner label="Loading" />)).toMatch(/role="status" aria-label="Loading"/);
  });
});
