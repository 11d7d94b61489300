import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { mustRunTool } from "./run-tool.mjs";

/**
 * Packs a folder so that the same names, contents and executable bits give the same bytes: sorted names, owner 0, everybody may read, one time.
 * @param {object} what
 * @param {string} what.parent the folder around it
 * @param {string} what.name of the folder, and of the folder in the archive
 * @param {string} what.file the .tar.gz to write
 * @param {number} what.seconds of every file, since 1970
 */
export async function packArchive({ parent, name, file, seconds }) {
  await mustRunTool(
    "The archive could not be packed",
    "tar",
    [
      ...["--create", "--format=gnu", "--sort=name", "--hard-dereference", "--no-xattrs", "--no-acls"],
      ...["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go+rX,go-w,a-st", `--mtime=@${seconds}`],
      ...["--use-compress-program=gzip -n", `--file=${file}`, `--directory=${parent}`, name],
    ],
    { env: { LC_ALL: "C", GZIP: undefined, TAR_OPTIONS: undefined } },
  );
}

/** @param {string} file @returns {Promise<string>} its SHA-256 in hexadecimal digits */
export async function sha256Of(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
