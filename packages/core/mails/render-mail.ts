import escapeHtml from "escape-html";
import type { BrandColours } from "../brands/brand.ts";
import type { MailBlock, MailBrand, MailContent } from "./mail-template.ts";

export interface MailLook extends MailBrand {
  colours: BrandColours;
  /** Origin of the brand's own address, which links start with. */
  origin: string;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/**
 * Renders a mail as HTML that mail programs support (one table, inline styles, no images, nothing loaded, dark where
 * the reader's program is dark) and as plain text. All text is escaped here, so templates can't inject markup.
 */
export function renderMail(content: MailContent, look: MailLook): RenderedMail {
  return { subject: oneLine(content.subject), html: html(content, look), text: text(content, look) };
}

function html({ subject, preheader, blocks, unsubscribePath }: MailContent, look: MailLook): string {
  const { colours, name } = look;
  const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
  // Invisible characters after the preheader keep mail programs from filling the line with the text that follows.
  const hidden = `display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;color:${colours.ground}`;
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root{color-scheme:light dark}
a{color:${colours.action}}
@media (max-width:480px){.cell{padding-left:20px!important;padding-right:20px!important}}
@media (prefers-color-scheme:dark){
.ground{background:#131316!important}.card{background:#1e1e22!important;border-color:#37373d!important}
.ink{color:#f2f2f3!important}.soft{color:#b9b9c0!important}.code{background:#2b2b31!important;color:#f2f2f3!important}
.plain-link{color:#f2f2f3!important}.button{border:1px solid #5a5a63!important}
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${colours.ground};${font}">
<div style="${hidden}">${escapeHtml(preheader)}${"&#8199;&#65279;&#847; ".repeat(30)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${colours.ground}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:${colours.surface};border:1px solid ${colours.ground};border-radius:10px;overflow:hidden">
<tr><td class="cell" style="padding:18px 36px;background:${colours.hero}">
<a href="${escapeHtml(look.origin)}/" style="color:${colours.onHero};font-size:20px;font-weight:700;text-decoration:none">${escapeHtml(name)}</a>
</td></tr>
<tr><td class="cell ink" style="padding:28px 36px 12px;color:${colours.ink};font-size:16px;line-height:1.55">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.25;color:${colours.ink}">${escapeHtml(subject)}</h1>
${blocks.map((block) => htmlBlock(block, look)).join("\n")}
</td></tr>
<tr><td class="cell soft" style="padding:12px 36px 28px;color:${colours.inkSoft};font-size:13px;line-height:1.5">
${escapeHtml(name)}: ${escapeHtml(look.strapline)}<br>
Questions? Write to <a class="plain-link" href="mailto:${escapeHtml(look.supportEmail)}" style="color:${colours.inkSoft}">${escapeHtml(look.supportEmail)}</a>.${
    unsubscribePath
      ? `<br><a class="plain-link" href="${escapeHtml(look.origin + unsubscribePath)}" style="color:${colours.inkSoft}">Choose which e-mails you get</a>`
      : ""
  }
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function htmlBlock(block: MailBlock, { colours, origin }: MailLook): string {
  switch (block.kind) {
    case "paragraph":
      return `<p style="margin:0 0 16px">${escapeHtml(block.text)}</p>`;
    case "button":
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px"><tr><td class="button" style="border-radius:8px;background:${colours.action}">
<a href="${escapeHtml(origin + block.path)}" style="display:inline-block;padding:13px 24px;color:${colours.onAction};font-size:16px;font-weight:700;text-decoration:none;border-radius:8px">${escapeHtml(block.label)}</a>
</td></tr></table>`;
    case "code":
      return `<p class="code" style="margin:0 0 20px;padding:14px 18px;border-radius:8px;background:${colours.ground};color:${colours.ink};font-family:Consolas,Menlo,monospace;font-size:24px;letter-spacing:3px;text-align:center">${escapeHtml(block.text)}</p>`;
    case "list":
      return `<ul style="margin:0 0 16px;padding-left:22px">${block.items.map((item) => `<li style="margin:0 0 6px">${escapeHtml(item)}</li>`).join("")}</ul>`;
    case "facts":
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${block.facts
        .map(
          ({ label, value }) =>
            `<tr><td class="soft" valign="top" style="padding:0 18px 6px 0;color:${colours.inkSoft}">${escapeHtml(label)}</td><td class="ink" valign="top" style="padding:0 0 6px;color:${colours.ink}">${escapeHtml(value)}</td></tr>`,
        )
        .join("")}</table>`;
    case "small-print":
      return `<p class="soft" style="margin:0 0 12px;color:${colours.inkSoft};font-size:14px">${escapeHtml(block.text)}</p>`;
  }
}

function text({ subject, blocks, unsubscribePath }: MailContent, look: MailLook): string {
  const { origin, name, strapline, supportEmail } = look;
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case "paragraph":
      case "small-print":
        return block.text;
      case "button":
        return `${block.label}:\n${origin}${block.path}`;
      case "code":
        return `    ${block.text}`;
      case "list":
        return block.items.map((item) => `- ${item}`).join("\n");
      case "facts":
        return block.facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
    }
  });
  const foot = [
    "--",
    `${name}: ${strapline}`,
    `Questions? Write to ${supportEmail}`,
    ...(unsubscribePath ? [`Choose which e-mails you get: ${origin}${unsubscribePath}`] : []),
  ];
  return `${[subject, ...parts, foot.join("\n")].join("\n\n")}\n`;
}

/** Returns text on one line, because a line break in a name would end the header. */
function oneLine(words: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it removes
  return words.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ").trim();
}
