-- The server enters pending words every two seconds (features/search/jobs.ts). With the former limit of 1 MB the save that reached it had to do it.
alter index ticket_search_words set (gin_pending_list_limit = 8192);
alter index search_word_near set (gin_pending_list_limit = 8192);
