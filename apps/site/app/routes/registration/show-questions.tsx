/**
 * The way on where the questions for a choice could not be loaded (Y7). It reloads the whole page with them and with
 * what was typed. Nothing is checked or saved.
 */
export function ShowQuestions({ children }: { children: string }) {
  return (
    <button
      type="button"
      className="button is-quiet show-questions"
      onClick={({ currentTarget: { form } }) => sendForQuestions(form)}
    >
      {children}
    </button>
  );
}

function sendForQuestions(form: HTMLFormElement | null): void {
  const intent = Object.assign(document.createElement("input"), {
    type: "hidden",
    name: "intent",
    value: "questions",
  });
  form?.append(intent);
  form?.submit();
}
