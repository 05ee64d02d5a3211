"""The configs that come with the program: what each is for, and copies of them."""
