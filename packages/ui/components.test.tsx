import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Amount } from "./amount.tsx";
import { CopyButton } from "./copy-button.tsx";
import { PasswordField } from "./forms/password-field.tsx";
import { Spinner } from "./spinner.tsx";

describe("components as the server renders them", () => {
  it("C3 money that is not the member's yet is told apart by a word too, and less than nothing has a real minus", () => {
    expect(renderToStaticMarkup(<Amount pence={1234} />)).toContain(">£12.34</span>");
    const pending = renderToStaticMarkup(<Amount pence={-1234} isPending />);
    expect(pending).toContain("\u2212£12.34");
    expect(pending).toContain(" pending</span>");
  });

  it("O3 P8 before the script is there, Copy code can't be pressed in vain", () => {
    const html = renderToStaticMarkup(<CopyButton text="BOOTS15" fallbackTarget="offer-code" />);
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Copy code<\/button>/);
    expect(html).toContain('role="status"');
  });

  it("M3 Y2 a password is hidden at first, known to password managers, and never closed to pasting", () => {
    const html = renderToStaticMarkup(
      <PasswordField id="password" name="password" label="Password" autoComplete="current-password" />,
    );
    expect(html).toContain('type="password"');
    expect(html).toContain('autoComplete="current-password"');
    expect(html).toMatch(/<button type="button"[^>]*aria-pressed="false"/);
    expect(html).not.toMatch(/onpaste|no-paste/i);
  });

  it("O6 a spinner without words is decoration, one with words says them", () => {
    expect(renderToStaticMarkup(<Spinner />)).toContain('aria-hidden="true"');
    expect(renderToStaticMarkup(<Spinner label="Loading" />)).toMatch(/role="status" aria-label="Loading"/);
  });
});
