import { afterEach, describe, expect, test, vi } from "vitest";
import { favouriteButtons } from "./favourite-button.behaviour.ts";

class PageElement {
  closest() {
    return this;
  }
}

/** Starts the script on a page with one heart, and holds what it sends until a test answers it. */
function openPage() {
  const status = { textContent: "", className: "" };
  const form = { dataset: { signedIn: "" }, nextElementSibling: status, requestSubmit: vi.fn<() => void>() };
  const heart = Object.assign(new PageElement(), { value: "offer/x", name: "add", ariaPressed: "false", form });
  const sent: { field: string; answer: (status: number | null) => Promise<void> }[] = [];
  vi.stubGlobal("Element", PageElement);
  const leaving = new Set<() => void>();
  vi.stubGlobal("window", {
    addEventListener: (_: string, onLeave: () => void) => leaving.add(onLeave),
    removeEventListener: (_: string, onLeave: () => void) => leaving.delete(onLeave),
  });
  const leave = () => {
    for (const onLeave of leaving) onLeave();
  };
  vi.stubGlobal("document", { querySelectorAll: () => [heart] });
  vi.stubGlobal("fetch", (_: string, { body }: { body: URLSearchParams }) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>();
    const answer = (code: number | null) => {
      if (code === null) reject(new TypeError("no connection"));
      else resolve({ status: code });
      return new Promise<void>((done) => setImmediate(done));
    };
    sent.push({ field: String(body), answer });
    return promise;
  });
  let press = () => {};
  const root = {
    addEventListener(_: string, onClick: (event: unknown) => void) {
      press = () => onClick({ target: heart, preventDefault() {} });
    },
  };
  void favouriteButtons.start(root as unknown as HTMLElement);
  return { heart, form, status, sent, press: () => press(), leave };
}
afterEach(() => void vi.unstubAllGlobals());

const fields = (sent: ReturnType<typeof openPage>["sent"]) => sent.map(({ field }) => decodeURIComponent(field));

describe("D10 a heart that is pressed again before the answer", () => {
  test("D10 its requests are sent one after another, so that the last press counts", async () => {
    const { heart, sent, press } = openPage();
    press();
    press();
    expect(heart.ariaPressed).toBe("false");
    expect(fields(sent)).toEqual(["add=offer/x"]);
    await sent[0]!.answer(204);
    expect(fields(sent)).toEqual(["add=offer/x", "remove=offer/x"]);
    await sent[1]!.answer(204);
    expect(heart).toMatchObject({ ariaPressed: "false", name: "add" });
    press();
    expect(fields(sent)).toEqual(["add=offer/x", "remove=offer/x", "add=offer/x"]);
    await sent[2]!.answer(204);
  });

  test("D10 a press that waits is sent when its page is left", async () => {
    const { sent, press, leave } = openPage();
    press();
    leave();
    expect(fields(sent), "it is on its way").toEqual(["add=offer/x"]);
    press();
    leave();
    expect(fields(sent)).toEqual(["add=offer/x", "remove=offer/x"]);
    await sent[0]!.answer(204);
    await sent[2]!.answer(204);
    leave();
    expect(fields(sent), "nothing waits").toHaveLength(3);
  });

  test("D10 only the last press is sent, and none where it asks for what is already under way", async () => {
    const { heart, sent, press } = openPage();
    for (const _ of [1, 2, 3]) press();
    await sent[0]!.answer(204);
    expect(fields(sent)).toEqual(["add=offer/x"]);
    expect(heart).toMatchObject({ ariaPressed: "true", name: "remove" });
  });

  test("D10 where the second request is lost, it shows what the first one saved", async () => {
    const { heart, status, sent, press } = openPage();
    press();
    press();
    await sent[0]!.answer(204);
    await sent[1]!.answer(null);
    expect(heart).toMatchObject({ ariaPressed: "true", name: "remove" });
    expect(status.textContent).toContain("That was not saved");
  });

  test("D10 where the first is lost and the second is refused, it asks for nothing that nobody wants", async () => {
    const { heart, form, status, sent, press } = openPage();
    press();
    press();
    await sent[0]!.answer(null);
    await sent[1]!.answer(500);
    expect(heart).toMatchObject({ ariaPressed: "false", name: "add" });
    expect(form.requestSubmit).not.toHaveBeenCalled();
    expect(status.textContent).toContain("That was not saved");
  });
});

test("D10 a heart that is refused submits its form, whose page says why", async () => {
  const { heart, form, sent, press } = openPage();
  press();
  expect(heart.ariaPressed).toBe("true");
  await sent[0]!.answer(409);
  expect(heart).toMatchObject({ ariaPressed: "false", name: "add" });
  expect(form.requestSubmit).toHaveBeenCalledWith(heart);
});
