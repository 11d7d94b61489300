/** The column of the member whose row it is: their number, which leads to their page. */
export const memberColumn = {
  key: "member",
  label: "Member",
  cell: ({ memberId, memberNumber }: { memberId: string; memberNumber: string }) => (
    <a href={`/admin/members/${memberId}`} className="id">
      {memberNumber}
    </a>
  ),
  csv: ({ memberNumber }: { memberNumber: string }) => memberNumber,
};

/** The column of that member's name, beside their number. */
export const memberNameColumn = {
  key: "name",
  label: "Name",
  cell: ({ memberName }: { memberName: string }) => memberName,
  csv: ({ memberName }: { memberName: string }) => memberName,
};
