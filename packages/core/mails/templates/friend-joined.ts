import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths, withToken } from "../../paths.ts";

/** For a member whose friend has joined. It names nobody: the friend may not want that. */
export const friendJoined = mailTemplate({
  kind: "friend-joined",
  schema: z.object({ token: z.string().min(1) }),
  content: ({ token }, { name }) => ({
    subject: "A friend has joined through your link",
    preheader: `They are a member of ${name} now.`,
    unsubscribePath: withToken(paths.unsubscribe, token),
    blocks: [
      {
        kind: "paragraph",
        text: `Somebody has joined ${name} through your link. Your page says what has to happen before there is a bonus, and how far they are.`,
      },
      { kind: "button", label: "See your invitations", path: paths.friends },
    ],
  }),
});
