

"serve*2