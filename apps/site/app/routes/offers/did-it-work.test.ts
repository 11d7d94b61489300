import { afterEach, expect, test, vi } from "vitest";
import { didItWork } from "./did-it-work.behaviour.ts";

class Button {
  readonly value: string;
  isPressed = false;
  constructor(value: string) {
    this.value = value;
  }
  setAttribute(_: string, isPressed: string) {
    this.isPressed = isPressed === "true";
  }
}
afterEach(() => void vi.unstubAllGlobals());

test("O4 votes are sent one after another, so that the last one counts; where it is lost, the page shows the one before", async () => {
  const answers: PromiseWithResolvers<{ status: number }>[] = [];
  const sent: string[] = [];
  vi.stubGlobal("HTMLButtonElement", Button);
  vi.stubGlobal("window", { addEventListener() {}, removeEventListener() {} });
  vi.stubGlobal("fetch", (_: string, { body }: { body: URLSearchParams }) => {
    const answer = Promise.withResolvers<{ status: number }>();
    answers.push(answer);
    sent.push(String(body));
    return answer.promise;
  });
  const settled = () => new Promise((done) => setImmediate(done));
  const [worked, failed] = [new Button("worked"), new Button("failed")];
  const status = { textContent: "" };
  const form = {
    action: "/offers/boots?offer=x",
    matches: () => true,
    querySelectorAll: () => [worked, failed],
    querySelector: (selector: string) =>
      selector === "[role=status]" ? status : ([worked, failed].find(({ isPressed }) => isPressed) ?? null),
  };
  let press: (button: Button) => void = () => {};
  const panel = {
    addEventListener(_: string, onSubmit: (event: unknown) => void) {
      press = (submitter) => onSubmit({ target: form, submitter, preventDefault() {} });
    },
  };
  void didItWork.start(panel as unknown as HTMLElement);

  press(worked);
  press(failed);
  expect(sent).toEqual(["vote=worked"]);
  answers[0]!.resolve({ status: 204 });
  await settled();
  expect(sent).toEqual(["vote=worked", "vote=failed"]);
  answers[1]!.reject(new TypeError("no connection"));
  await settled();
  expect([worked.isPressed, failed.isPressed]).toEqual([true, false]);
  expect(status.textContent).toContain("That was not saved");
});
