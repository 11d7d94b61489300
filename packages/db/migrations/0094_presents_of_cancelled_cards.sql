-- A present that nobody has opened ends with its card (G6). Cards that were refunded or charged back before left theirs open, and what was said of the
-- receiver was kept.
delete from mails mail
using gift_card_presents present, gift_card_lines line
where mail.id = present.mail_id and mail.state = 'waiting' and line.id = present.line_id
  and line.state in ('refunding', 'refunded', 'charged_back') and present.state in ('planned', 'sent', 'bounced');

update gift_card_presents present
set state = 'taken_back', version = present.version + 1, taken_back_at = now(), next_step_at = null
from gift_card_lines line
where line.id = present.line_id and line.state in ('refunding', 'refunded', 'charged_back') and present.state in ('planned', 'sent', 'bounced');
