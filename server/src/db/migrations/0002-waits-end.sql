-- A hundred failures used to close an account to unknown browsers for ever.
update throttle set blocked_until = now() + interval '1 hour' where blocked_until = 'infinity';
