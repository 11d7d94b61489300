import { expect, test } from "vitest";
import { repositoryAt } from "./repository.ts";

test.each([
  ["https://code.example/club/farthing.git", "git+https://code.example/club/farthing.git"],
  ["https://code.example/club/farthing", "git+https://code.example/club/farthing.git"],
  ["https://somebody:secret@code.example/club/farthing.git", "git+https://code.example/club/farthing.git"],
  ["git@code.example:club/farthing.git", "git+ssh://git@code.example/club/farthing.git"],
  ["ssh://git@code.example/club/farthing.git", "git+ssh://git@code.example/club/farthing.git"],
])("W1 a checkout of %s publishes the repository %s", (remote, url) => {
  expect(repositoryAt(remote)).toEqual({ type: "git", url, directory: "packages/widget" });
});

test.each(["", "/home/somebody/farthing", "../farthing", "file:///srv/farthing.git", "C:\\farthing"])(
  "W1 a checkout of %j publishes none: it is a folder of one machine",
  (remote) => {
    expect(repositoryAt(remote)).toBeUndefined();
  },
);
